import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { joined, joinedJson, unpackedSize } from "@glovebox/scan-run";
import { accepts } from "./accept-encoding.ts";

/** A body in gzip; with `first`, the JSON of an object, that object's members come before those of the packed one. */
export class PackedBody {
  readonly #packed: Uint8Array;
  readonly #first: string | undefined;

  constructor(packed: Uint8Array, first?: string) {
    this.#packed = packed;
    this.#first = first;
  }

  /** The gzip of all of it. */
  get bytes(): Uint8Array {
    return this.#first === undefined ? this.#packed : joined(this.#first, this.#packed);
  }

  /** The JSON, where it is small: no gzip of it is made to be decompressed. */
  get smallJson(): string | undefined {
    if (this.#first === undefined || unpackedSize(this.#packed) > SMALL) return undefined;
    return joinedJson(this.#first, this.#packed);
  }
}

/** A body as it is sent, with the headers that say how. */
export interface SentBody {
  readonly body: string | Buffer | Readable;
  readonly headers: Readonly<Record<string, string>>;
}

/** Decompressed by this thread in less time than by another; bytes after decompression. */
const SMALL = 32 * 1024;

/** As it is, where the client accepts gzip; else decompressed, a large one outside the thread and as fast as the client reads. */
export function sentBody(packed: PackedBody, req: IncomingMessage): SentBody {
  const vary = { Vary: "Accept-Encoding" };
  if (accepts(req.headers["accept-encoding"], "gzip")) {
    const { bytes } = packed;
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = { "Content-Length": String(body.length) };
    return { body, headers: { ...length, "Content-Encoding": "gzip", ...vary } };
  }
  const json = packed.smallJson;
  if (json !== undefined)
    return { body: json, headers: { "Content-Length": String(Buffer.byteLength(json)), ...vary } };
  const { bytes } = packed;
  const body = Readable.from([bytes]).pipe(createGunzip());
  return { body, headers: { "Content-Length": String(unpackedSize(bytes)), ...vary } };
}
