export interface StreamedEvent {
  readonly event: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into any response
  readonly data: any;
}

/** An open event stream; `next` is what came next, undefined after its end. Comments are counted and left out. */
export class StreamReader {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";
  comments = 0;

  constructor(response: Response) {
    this.response = response;
    this.#reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  }

  async next(): Promise<StreamedEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end < 0) {
        const { value, done } = await this.#reader.read();
        if (done) return undefined;
        this.#text += value;
        continue;
      }
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      if (block.startsWith(":")) this.comments++;
      else return parseBlock(block);
    }
  }

  async rest(): Promise<StreamedEvent[]> {
    const events: StreamedEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }
}

function parseBlock(block: string): StreamedEvent {
  const values = (field: string): string =>
    block
      .split("\n")
      .filter((line) => line.startsWith(`${field}: `))
      .map((line) => line.slice(field.length + 2))
      .join("\n");
  return { event: values("event"), data: JSON.parse(values("data")) };
}
