import { NetworkError } from "../transport/network-error.ts";
import type { Handshake, HandshakeOffer } from "../transport/tls-handshake.ts";
import { inconclusive, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";

/** What became of an offer: the handshake it led to, the server's refusal, or that this client cannot make it. */
type Outcome = Handshake | "refused" | "untestable";

/** Examines whether the server agrees to an offer that names nothing else; the handshake before shows that it can be reached. */
export async function examineOffer(
  probe: Probe,
  { named, ...offer }: HandshakeOffer & { readonly named: string },
  agreed: (handshake: Handshake) => Verdict,
): Promise<Verdict> {
  await probe.handshake();
  const outcome = await outcomeOf(probe, offer);
  if (outcome === "untestable") return inconclusive(`This scanner cannot offer ${named}.`);
  return outcome === "refused" ? pass() : agreed(outcome);
}

/**
 * Only the server's response counts as a refusal: its alert, its cutting the connection, or its insisting on another version.
 * @throws NetworkError where the network is at fault.
 */
async function outcomeOf(probe: Probe, offer: HandshakeOffer): Promise<Outcome> {
  try {
    return await probe.handshake(offer);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    if (error.kind === "reset") return "refused";
    if (error.kind !== "tls") throw error;
    return refusalOrInability(error);
  }
}

/** OpenSSL's error codes: an alert and a wrong version come from the server, the lack of ciphers from this client. @internal */
export function refusalOrInability(error: NetworkError): "refused" | "untestable" {
  const code = error.cause instanceof Error && "code" in error.cause ? String(error.cause.code) : "";
  return /NO_CIPHER|NO_PROTOCOLS|INVALID_COMMAND|UNKNOWN_CIPHER|LIBRARY/.test(code)
    ? "untestable"
    : "refused";
}
