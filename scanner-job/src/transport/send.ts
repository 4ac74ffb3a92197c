import type { Agent } from "undici";
import { readBody } from "./body.ts";
import { Reply, type ProbeRequest } from "./exchange.ts";
import { NetworkError, toNetworkError } from "./network-error.ts";

/** From connecting to the last byte read: what a dripping answer gets at most. */
const EXCHANGE_MS = 15_000;
const READ_METHODS = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
export const USER_AGENT = "Glovebox-Scanner/0.1 (+security scan ordered by an operator of this API's owner)";

/**
 * Sends one request and reads a bounded part of the answer. Follows no redirect.
 * @throws NetworkError when no valid answer came in time.
 */
export async function exchange(
  agent: Agent,
  request: ProbeRequest,
  context: { signal: AbortSignal; now: () => number; maxBodyBytes?: number },
): Promise<Reply> {
  assertHarmless(request);
  const { origin, pathname, search } = new URL(request.url);
  const started = context.now();
  try {
    const answer = await agent.request({
      origin,
      path: request.rawPath ?? pathname + search,
      method: request.method,
      headers: { "user-agent": USER_AGENT, "accept-encoding": "gzip, identity;q=0.5", ...request.headers },
      body: request.body ?? null,
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(EXCHANGE_MS)]),
    });
    const elapsedMs = context.now() - started;
    const headers = flattenHeaders(answer.headers);
    const { text, truncated } = await readBody(
      answer.body,
      headers["content-encoding"],
      context.maxBodyBytes,
    );
    return new Reply({ request, status: answer.statusCode, headers, body: text, truncated, elapsedMs });
  } catch (error) {
    throw context.signal.aborted
      ? new NetworkError("deadline", "The scan's deadline has passed", { cause: error })
      : toNetworkError(error);
  }
}

function assertHarmless({ method, harmlessBecause }: ProbeRequest): void {
  if (!READ_METHODS.has(method) && !harmlessBecause)
    throw new TypeError(`${method} needs a reason why it is harmless`);
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      flat[name.toLowerCase()] = Array.isArray(value)
        ? value.join(name === "set-cookie" ? "\n" : ", ")
        : value;
  }
  return flat;
}
