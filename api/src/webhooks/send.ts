import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP } from "node:net";
import { withTimeout } from "@glovebox/domain";
import { resolvePins, type PinDeps } from "@glovebox/egress";

export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where a message may go, and for how long. */
export interface SendLimits extends PinDeps {
  /** For everything: name, connection, response. In milliseconds. */
  readonly timeoutMs: number;
  /** Trusted beside the certificates of the system, as PEM. */
  readonly ca?: string | undefined;
}

/** `error` says in one sentence why the message counts as undelivered; it repeats nothing that the receiver sent. */
export interface Sent {
  readonly status: number | null;
  readonly error: string | null;
}

/** A response that is longer, in bytes, or takes longer, in milliseconds, is not read to its end. */
const MAX_RESPONSE_BYTES = 16 * 1024;
const MAX_RESPONSE_MS = 1_000;

/**
 * Posts a message over HTTPS to an address of its host that the egress policy allows: the name is resolved once, and the
 * connection goes to an address that was checked. Redirects are not followed. Never rejects.
 */
export async function send(message: Message, limits: SendLimits): Promise<Sent> {
  const over = new AbortController();
  const late = (): Error => new TooLate();
  try {
    return await withTimeout(post(message, { ...limits, signal: over.signal }), {
      ms: limits.timeoutMs,
      error: late,
    });
  } catch (error) {
    return { status: null, error: reasonOf(error, limits.timeoutMs) };
  } finally {
    over.abort();
  }
}

class TooLate extends Error {}
class Refused extends Error {}

async function post(
  { url, headers, body }: Message,
  { policy, lookup, ca, signal }: SendLimits & { readonly signal: AbortSignal },
): Promise<Sent> {
  const target = new URL(url);
  if (target.protocol !== "https:") throw new Refused("The URL is not HTTPS.");
  const pins = await resolvePins(target, { policy, lookup: (host) => lookup(host, signal) });
  if (!pins.ok) throw new Refused(`${pins.message}.`);
  signal.throwIfAborted(); // the name may have been resolved too late

  const pinned = pins.addresses.map((address) => ({ address, family: isIP(address) }));
  const outgoing = request(target, {
    method: "POST",
    headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)), Connection: "close" },
    lookup: (_host, { all }, done) =>
      all ? done(null, pinned) : done(null, pinned[0]!.address, pinned[0]!.family),
    ...{ agent: false, autoSelectFamily: true, signal, ca },
  });
  outgoing.on("error", () => undefined); // also after the response
  outgoing.end(body);
  const [response] = (await once(outgoing, "response", { signal })) as [IncomingMessage];
  await drain(response);
  outgoing.destroy();
  return { status: response.statusCode!, error: errorOf(response.statusCode!) };
}

/** Reads a bounded part of the response, so that a receiver does not see its response refused. It decides nothing. */
async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), MAX_RESPONSE_MS);
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_RESPONSE_BYTES) return;
    }
  } catch {
    // The status has arrived.
  } finally {
    clearTimeout(timer);
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const redirected = status >= 300 && status < 400;
  return `The receiver responded with ${status}${redirected ? "; redirects are not followed" : ""}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed before the response.",
  EHOSTUNREACH: "The receiver's network cannot be reached.",
  ENETUNREACH: "The receiver's network cannot be reached.",
  ETIMEDOUT: "The connection timed out.",
  HPE_HEADER_OVERFLOW: "The headers of the response are too long.",
};

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof TooLate) return `No response within ${timeoutMs / 1000} seconds.`;
  const { code = "unknown" } = error as { code?: string };
  if (REASONS[code] !== undefined) return REASONS[code];
  if (/CERT|ISSUER|SIGNATURE|SELF_SIGNED/.test(code)) return `The certificate is not trusted (${code}).`;
  return code.startsWith("HPE_") ? "The response is not HTTP." : `The connection failed (${code}).`;
}
