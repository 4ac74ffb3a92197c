import type { ApiResponse } from "./request-context.ts";
import { responded, standardHeaders } from "./respond.ts";

/** Server-sent events (WHATWG HTML, section 9.2) on one response. */
export class EventStream {
  readonly #res: ApiResponse;
  #open = false;

  constructor(res: ApiResponse) {
    this.#res = res;
  }

  open(): void {
    this.#open = true;
    this.#res.writeHead(200, [
      ...standardHeaders(this.#res.locals.context),
      "Content-Type",
      "text/event-stream; charset=utf-8",
      "Cache-Control",
      "no-store",
      "X-Accel-Buffering", // nginx would otherwise buffer events
      "no",
      "Connection", // otherwise a shutdown would wait for the idle connection
      "close",
    ]);
    this.#res.flushHeaders();
  }

  /** Dropped for a client that reads too slowly: the next event has newer values. */
  progress(value: object): void {
    if (this.#open && !this.#res.writableNeedDrain) this.send("progress", JSON.stringify(value));
  }

  send(event: string, data: string): void {
    const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
    this.#res.write(`event: ${event}\n${lines.join("")}\n`);
  }

  /** A comment, so that proxies do not close the connection as idle. */
  heartbeat(): void {
    this.#res.write(": still here\n\n");
  }

  end(): void {
    this.#open = false;
    this.#res.end();
    responded(this.#res, 200);
  }
}
