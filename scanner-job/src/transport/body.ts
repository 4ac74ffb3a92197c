import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

/** What is read of a body, in bytes after decoding. The rest is left in the socket, and the socket is closed. */
export const MAX_BODY_BYTES = 1024 * 1024;

const DECODERS: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/**
 * The first bytes of a body as text. A decompression bomb stops at the same limit, because the limit is on what
 * comes out. A body in a coding that is unknown or broken is read as far as it can be decoded.
 */
export async function readBody(
  stream: Readable,
  encoding: string | undefined,
  limit: number = MAX_BODY_BYTES,
): Promise<{ text: string; truncated: boolean }> {
  const decoder = DECODERS[encoding?.trim().toLowerCase() ?? ""]?.();
  const source: Readable = decoder
    ? stream.on("error", (error) => decoder.destroy(error)).pipe(decoder)
    : stream;
  // Decoded as it arrives: the bytes of many bodies at once would lie outside the heap, where nothing bounds them.
  const characters = new StringDecoder("utf8");
  let text = "";
  let size = 0;
  try {
    for await (const chunk of source) {
      text += characters.write((chunk as Buffer).subarray(0, limit - size));
      size += (chunk as Buffer).length;
      if (size > limit) break;
    }
  } catch (error) {
    if (!isDecodingError(error)) throw error;
  } finally {
    stream.destroy();
    decoder?.destroy();
  }
  return { text: text + characters.end(), truncated: size > limit };
}

const isDecodingError = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(Z_|ERR__?ZLIB|ERR_BROTLI|ERR__ERROR|ZSTD_)/.test(String(error.code));
