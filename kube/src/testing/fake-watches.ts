import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type FakeEvent, type FakeHistory, Refusal } from "./fake-collection.ts";
import { matchesSelector } from "./fake-list.ts";

interface OpenWatch {
  readonly response: ServerResponse;
  /** Opened as the n-th, from 1. */
  readonly number: number;
}

/** The watch streams of a fake API server. */
export class FakeWatches {
  /** How a watch from too old a version is told so: immediately, or by an error event. */
  gone: "status" | "event" = "status";
  /** When true, nothing is sent to any watch. */
  silent = false;
  readonly #history: FakeHistory;
  readonly #open = new Set<OpenWatch>();
  #opened = 0;

  constructor(history: FakeHistory) {
    this.#history = history;
    history.setMaxListeners(0);
  }

  get opened(): number {
    return this.#opened;
  }

  /** Resolves when the n-th watch since the start, from 1, is open. */
  async whenOpened(number: number): Promise<void> {
    while (this.#opened < number) await once(this.#history, "watch");
  }

  open(path: string, query: URLSearchParams, response: ServerResponse): void {
    const since = Number(query.get("resourceVersion"));
    if (since < this.#history.oldest && this.gone === "status") throw new Refusal(410, "Expired");
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    const send = (event: FakeEvent & { path: string }): void => {
      const type = event.path === path && event.version > since ? typeFor(query, event) : undefined;
      if (type !== undefined) this.#write(response, type, event.object);
    };
    for (const event of this.#history.events) send(event);
    if (since < this.#history.oldest)
      this.#write(response, "ERROR", { kind: "Status", code: 410, reason: "Expired" });
    this.#history.on("event", send);
    this.#opened += 1;
    const watch = { response, number: this.#opened };
    this.#open.add(watch);
    response.on("close", () => {
      this.#history.off("event", send);
      this.#open.delete(watch);
      this.#history.emit("closed");
    });
    this.#history.emit("watch");
  }

  /** Sends a bookmark to every watch. */
  bookmark(): void {
    const metadata = { resourceVersion: String(this.#history.version) };
    this.#each(({ response }) => this.#write(response, "BOOKMARK", { kind: "Fake", metadata }));
  }

  /** Sends text or bytes to every watch as they are. */
  raw(text: string | Uint8Array): void {
    this.#each(({ response }) => response.write(text));
  }

  /** Ends every watch as the server does when its time is over. */
  end(): void {
    this.#each(({ response }) => response.end());
  }

  /** Cuts the connection of every watch. */
  drop(): void {
    this.#each(({ response }) => response.destroy());
  }

  /** Resolves when no watch is open. */
  async whenClosed(): Promise<void> {
    while (this.#open.size > 0) await once(this.#history, "closed");
  }

  #each(act: (watch: OpenWatch) => void): void {
    for (const watch of this.#open) act(watch);
  }

  #write(response: ServerResponse, type: string, object: object): void {
    if (!this.silent) response.write(`${JSON.stringify({ type, object })}\n`);
  }
}

/** To a watch with a selector, an object that begins to match is added, and one that ceases to match is deleted. */
function typeFor(
  query: URLSearchParams,
  { type, object, previous }: FakeEvent,
): FakeEvent["type"] | undefined {
  const before = previous !== undefined && matchesSelector(query, previous);
  const now = type !== "DELETED" && matchesSelector(query, object);
  if (before && now) return "MODIFIED";
  if (before) return "DELETED";
  return now ? "ADDED" : undefined;
}
