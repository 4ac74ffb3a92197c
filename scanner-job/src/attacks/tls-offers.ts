import { NetworkError } from "../transport/network-error.ts";
import type { Handshake, HandshakeOffer } from "../transport/tls-handshake.ts";
import type { Probe } from "../engine/probe.ts";

/** What became of an offer: the handshake it led to, the server's refusal, or that this client cannot make it. */
export type OfferOutcome = Handshake | "refused" | "untestable";

/**
 * Offers the server this and nothing else. Only the server's own answer counts as a refusal: its alert, its cutting
 * the connection, or its insisting on another version.
 * @throws NetworkError where the network is at fault.
 */
export async function offerOf(probe: Probe, offer: HandshakeOffer): Promise<OfferOutcome> {
  try {
    return await probe.handshake(offer);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    if (error.kind === "reset") return "refused";
    if (error.kind !== "tls") throw error;
    return refusalOrInability(error);
  }
}

/** OpenSSL's error codes: an alert and a wrong version come from the server, the lack of ciphers from this client. */
export function refusalOrInability(error: NetworkError): "refused" | "untestable" {
  const code = error.cause instanceof Error && "code" in error.cause ? String(error.cause.code) : "";
  return /NO_CIPHER|NO_PROTOCOLS|INVALID_COMMAND|UNKNOWN_CIPHER|LIBRARY/.test(code)
    ? "untestable"
    : "refused";
}
