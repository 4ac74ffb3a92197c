import { CATEGORIES } from "@glovebox/contract";
import { ProgressTally, type ProgressFrame } from "@glovebox/scan-run";

const CLEAR_LINE = "\r\u001b[2K";

/** A progress line that is overwritten, with an estimate of the time left; no output without a terminal. `now` gives milliseconds. */
export function progressLine(
  stream: Pick<NodeJS.WriteStream, "isTTY" | "write"> & { readonly columns?: number },
  now: () => number,
): { update(frame: ProgressFrame): void; clear(): void } {
  if (!stream.isTTY) return { update: () => {}, clear: () => {} };
  const show = (text: string): void =>
    void stream.write(CLEAR_LINE + text.slice(0, Math.max(20, (stream.columns ?? 80) - 1)));
  const tally = new ProgressTally();
  let begun: number | undefined;
  show("Connecting and listing the operations…");
  return {
    update(frame) {
      begun ??= now();
      const { done, planned } = tally.add(frame);
      const parts = [
        `${Math.floor((100 * done) / Math.max(1, planned))} %`,
        CATEGORIES[frame.category].title,
        `${done} of ${planned} checks`,
        ...estimate({ done, planned, elapsedMs: now() - begun }),
      ];
      show(parts.join(" · "));
    },
    clear: () => void stream.write(CLEAR_LINE),
  };
}

/** From what has been done so far: nothing to go by in the first second, or before a twentieth is done. */
function estimate({
  done,
  planned,
  elapsedMs,
}: {
  done: number;
  planned: number;
  elapsedMs: number;
}): string[] {
  if (elapsedMs < 1000 || done < planned / 20) return [];
  const seconds = Math.ceil(((elapsedMs / done) * (planned - done)) / 1000);
  return [seconds < 60 ? `about ${seconds} s left` : `about ${Math.ceil(seconds / 60)} min left`];
}
