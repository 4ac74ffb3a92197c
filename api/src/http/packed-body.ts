import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { createGunzip, gunzipSync } from "node:zlib";
import { unpackedSize } from "@glovebox/scan-run";
import { accepts } from "./accept-encoding.ts";

/** A body in gzip. */
export class PackedBody {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Decompressed by this thread in less time than by another; bytes after decompression. */
const SMALL = 32 * 1024;

/** As it is, where the client accepts gzip; else decompressed, a large one outside the thread and as fast as the client reads. */
export function sentBody(
  { bytes }: PackedBody,
  req: IncomingMessage,
): { readonly body: Buffer | Readable; readonly headers: Readonly<Record<string, string>> } {
  const vary = { Vary: "Accept-Encoding" };
  if (accepts(req.headers["accept-encoding"], "gzip")) {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = { "Content-Length": String(body.length) };
    return { body, headers: { ...length, "Content-Encoding": "gzip", ...vary } };
  }
  const size = unpackedSize(bytes);
  const body = size <= SMALL ? gunzipSync(bytes) : Readable.from([bytes]).pipe(createGunzip());
  return { body, headers: { "Content-Length": String(size), ...vary } };
}
