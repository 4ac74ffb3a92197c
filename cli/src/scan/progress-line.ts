import { CATEGORIES, ProgressTally, type ProgressFrame } from "@glovebox/contract";

const ERASE_LINE = "\r\u001b[2K";

export interface ProgressLine {
  update(frame: ProgressFrame): void;
  clear(): void;
}

/** One line that a terminal overwrites as the scan goes on; nothing at all where there is no terminal. */
export function progressLine(stream: Pick<NodeJS.WriteStream, "isTTY" | "write">): ProgressLine {
  if (!stream.isTTY) return { update: () => {}, clear: () => {} };
  const tally = new ProgressTally();
  return {
    update: (frame) => stream.write(ERASE_LINE + progressText(frame, tally)),
    clear: () => stream.write(ERASE_LINE),
  };
}

function progressText(frame: ProgressFrame, tally: ProgressTally): string {
  const { done, planned } = tally.add(frame);
  return `${done} of ${planned} checks · ${CATEGORIES[frame.category].title}`;
}
