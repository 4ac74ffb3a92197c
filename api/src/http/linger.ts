import type { ServerResponse } from "node:http";

const LINGER_MS = 1_000;
const LINGER_BYTES = 1024 * 1024;

/**
 * Ends an answer to a request whose body was not read. Closing while the client still sends would reset the connection
 * and could destroy the answer on its way, so a bounded rest of the body is read and thrown away first.
 */
export function lingeringEnd(res: ServerResponse, body: string | Buffer | undefined): void {
  const { req } = res;
  let bytes = 0;
  const timer = setTimeout(finish, LINGER_MS).unref();
  function finish(): void {
    clearTimeout(timer);
    req.off("data", count);
    res.end();
  }
  function count(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) finish();
  }

  if (body !== undefined) res.write(body);
  else res.flushHeaders();
  req.on("data", count);
  req.once("end", finish);
  req.once("close", finish);
  req.on("error", () => undefined);
}
