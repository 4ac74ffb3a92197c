import { frameOf, FrameLines, type ProgressFrame } from "@glovebox/contract";

/** More than a scanner tells: ten times for each category, and at its beginning. */
const MOST_FRAMES = 1_000;

/**
 * The progress that a scanner's log tells of, as it comes, until its report begins. Other lines are passed over. What comes
 * after is read too, for a connection whose answer was read to its end can be used again; a scanner that says more than
 * scanners do is not listened to any longer.
 */
export async function* progressFrames(log: AsyncIterable<Uint8Array>): AsyncGenerator<ProgressFrame, void> {
  const lines = new FrameLines();
  let [seen, isOver] = [0, false];
  for await (const chunk of log) {
    if (isOver) continue;
    for (const line of lines.push(chunk)) {
      const frame = frameOf(line);
      if (frame?.frame === "progress") yield frame;
      else if (frame) isOver = true;
      if (isOver || ++seen > MOST_FRAMES) break;
    }
    if (lines.isOver || seen > MOST_FRAMES) return;
  }
}
