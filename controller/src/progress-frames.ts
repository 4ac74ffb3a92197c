import { frameSchema, type ProgressFrame } from "@glovebox/contract";

/** Longer than any frame of progress: what begins so is a piece of the report, or no frame. */
const LONGEST_LINE = 16 * 1024;

/**
 * The progress that a scanner's log tells of, as it comes, until its report begins. Other lines are passed over. What comes
 * after is read too, for a connection whose answer was read to its end can be used again.
 */
export async function* progressFrames(log: AsyncIterable<Uint8Array>): AsyncGenerator<ProgressFrame, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let isOver = false;
  for await (const chunk of log) {
    if (isOver) continue;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const frame = frameOf(line);
      if (frame?.frame === "progress") yield frame;
      else if (frame) isOver = true;
      if (isOver) break;
    }
    isOver ||= rest.length > LONGEST_LINE;
  }
}

function frameOf(line: string) {
  try {
    return frameSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
