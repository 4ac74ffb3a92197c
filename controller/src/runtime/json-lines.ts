/** A stream of JSON lines that cannot be read on: a line is not JSON, or longer than the limit. */
export class JsonLinesError extends Error {
  override readonly name = "JsonLinesError";
}

const NEWLINE = 0x0a;

/**
 * The values of a stream that holds one JSON text per line. An unfinished last line is left out: it was cut off.
 * @throws JsonLinesError for a line that is no JSON or has more than `maxLineBytes`
 */
export async function* jsonLines(
  stream: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<unknown, void> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, end)]).toString("utf8");
      [rest, restBytes, from] = [[], 0, end + 1];
      if (line.trim() !== "") yield parse(line);
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > maxLineBytes) throw new JsonLinesError(`A line has more than ${maxLineBytes} bytes`);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's own message quotes the text.
    throw new JsonLinesError("A line is not JSON");
  }
}
