import type { ProbeResponse } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import { NetworkError } from "./network-error.ts";

/** Times that a request is sent which is throttled. */
const MAX_SENT = 4;

/**
 * Sends a request again when the response is 429, unless `retry` is false: the target did not process it (RFC 6585, section 4),
 * so no response of the API is lost. The gate makes it wait, and knows which paths are not worth waiting for.
 */
export async function retrying(
  sendOnce: () => Promise<ProbeResponse>,
  {
    gate,
    path,
    retry = true,
  }: { gate: Pick<Gate, "isWaitedFor">; path: string; retry?: boolean | undefined },
): Promise<ProbeResponse> {
  for (let sent = 1; ; sent++) {
    const response = await sendOnce();
    if (response.status !== 429 || !retry || sent >= MAX_SENT || !gate.isWaitedFor(path)) return response;
  }
}

const MAY_PASS = new Set(["reset", "refused", "cut"]);

/** Sends requests that test nothing, and could not crash the target, again when the connection is lost. */
export const sendPatiently =
  <Request extends readonly unknown[]>(send: (...request: Request) => Promise<ProbeResponse>) =>
  async (...request: Request): Promise<ProbeResponse> => {
    for (let lost = 0; ; lost++) {
      try {
        return await send(...request);
      } catch (error) {
        if (!(error instanceof NetworkError) || !MAY_PASS.has(error.kind) || lost >= 2) throw error;
      }
    }
  };
