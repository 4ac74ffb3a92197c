import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { MAX_BODY_BYTES } from "./exchange.ts";

/** A body whose length is not declared may have no end, as that of server-sent events: what has arrived by then is used. */
const UNDECLARED_BODY_MS = 1_500;

const DECODERS: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

const decoderFor = ({ "content-encoding": coding = "" }: Readonly<Record<string, string>>) =>
  DECODERS[coding.trim().toLowerCase()]?.();

/**
 * The first bytes of a body as text. A decompression bomb stops at the same limit, because the limit is on what
 * the decoded size; the rest is not read, and the socket is closed. A body in a coding that is unknown or broken is
 * read as far as it can be decoded.
 */
export async function readBody(
  stream: Readable,
  headers: Readonly<Record<string, string>>,
  limit: number = MAX_BODY_BYTES,
): Promise<{ text: string; truncated: boolean }> {
  const decoder = decoderFor(headers);
  const source: Readable = decoder
    ? stream.on("error", (error) => decoder.destroy(error)).pipe(decoder)
    : stream;
  // Decoded as it arrives: the bytes of many concurrent bodies would lie outside the heap, where nothing bounds them.
  const characters = new StringDecoder("utf8");
  let text = "";
  let size = 0;
  const end = endOf(source, headers);
  try {
    for await (const chunk of source) {
      text += characters.write((chunk as Buffer).subarray(0, limit - size));
      size += (chunk as Buffer).length;
      if (size > limit) break;
    }
  } catch (error) {
    if (!end.isPast && !isDecodingError(error)) throw error;
  } finally {
    end.clear();
    stream.destroy();
    decoder?.destroy();
  }
  return { text: text + characters.end(), truncated: end.isPast || size > limit };
}

/** Ends a stream of undeclared length that takes too long. */
function endOf(source: Readable, headers: Readonly<Record<string, string>>) {
  let isPast = false;
  const cut = (): void => {
    isPast = true;
    source.destroy();
  };
  // After what has arrived by then: a busy process may not have read it yet.
  const cutSoon = (): void => void setImmediate(cut);
  const timer = headers["content-length"] === undefined ? setTimeout(cutSoon, UNDECLARED_BODY_MS) : undefined;
  return {
    get isPast() {
      return isPast;
    },
    clear: (): void => clearTimeout(timer),
  };
}

const isDecodingError = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(Z_|ERR__?ZLIB|ERR_BROTLI|ERR__ERROR|ZSTD_)/.test(String(error.code));
