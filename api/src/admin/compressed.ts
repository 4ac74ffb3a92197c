import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { accepts } from "../http/accept-encoding.ts";
import type { ApiRequest, ApiResponse } from "../http/request-context.ts";

/** Smaller bodies, in bytes, fit into one packet either way. */
const MIN_BYTES = 1_400;
const gzipAsync = promisify(gzip);

/**
 * The response, whose body is compressed when it is JSON and the client accepts gzip. An event stream is written through: its
 * events may not wait for more of them. Only pages of the service itself get these responses, so no other page can guess their
 * secrets by their length (BREACH).
 */
export function compressed(req: ApiRequest, res: ApiResponse): ApiResponse {
  if (!accepts(req.headers["accept-encoding"], "gzip")) return res;
  const write = res.write.bind(res);
  const end = res.end.bind(res);
  const chunks: Uint8Array[] = [];
  const isJson = (): boolean =>
    !res.headersSent && String(res.getHeader("content-type")).startsWith("application/json");
  const endCompressed = async (body: Buffer): Promise<void> => {
    const packed = await gzipAsync(body);
    res.setHeader("Content-Encoding", "gzip");
    res.setHeader("Content-Length", packed.length);
    end(packed);
  };
  res.write = ((...parts: Parameters<typeof write>) =>
    isJson() ? chunks.push(parts[0] as Uint8Array) > 0 : write(...parts)) as typeof res.write;
  res.end = ((...parts: Parameters<typeof end>) => {
    if (chunks.length === 0) return end(...parts);
    const body = Buffer.concat(chunks.splice(0));
    res.setHeader("Vary", "Accept-Encoding");
    if (body.length < MIN_BYTES) return end(body);
    void endCompressed(body).catch((error: Error) => res.destroy(error));
    return res;
  }) as typeof res.end;
  return res;
}
