import { frameSchema, type ProgressFrame } from "@glovebox/contract";

/** Longer than any frame of progress: what begins so is a piece of the report, or no frame. */
const LONGEST_LINE = 16 * 1024;

/** The progress that a scanner's log tells of, as it comes, until its report begins. Other lines are passed over. */
export async function* progressFrames(log: AsyncIterable<Uint8Array>): AsyncGenerator<ProgressFrame, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of log) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const frame = frameOf(line);
      if (frame?.frame === "progress") yield frame;
      else if (frame) return;
    }
    if (rest.length > LONGEST_LINE) return;
  }
}

function frameOf(line: string) {
  try {
    return frameSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
