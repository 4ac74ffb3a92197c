import type { Handshake, HandshakeOffer } from "./tls-handshake.ts";

/** The same offer is made once: one handshake serves many checks. */
export class SharedHandshakes {
  readonly #made = new Map<string, Promise<Handshake>>();

  /** The handshake already made or under way, or that of `make`. What failed is not kept. */
  get(url: URL, offer: HandshakeOffer, make: () => Promise<Handshake>): Promise<Handshake> {
    const key = JSON.stringify([url.origin, offer.version, offer.ciphers]);
    const known = this.#made.get(key);
    if (known) return known;

    const handshake = make();
    this.#made.set(key, handshake);
    handshake.catch(() => this.#made.delete(key));
    return handshake;
  }
}
