import {
  rootCertificates,
  connect,
  type ConnectionOptions,
  type PeerCertificate,
  type SecureVersion,
  type TLSSocket,
} from "node:tls";
import { isIP } from "node:net";
import { hostOf } from "@glovebox/contract";
import { TARGET_TLS } from "./http-client.ts";
import { NetworkError, toNetworkError } from "./network-error.ts";
import { portOf, type Scope } from "./scope.ts";

/** What the client offers; all that it supports where undefined. */
export interface HandshakeOffer {
  readonly version?: SecureVersion;
  /** OpenSSL cipher list, for TLS 1.2 and below. */
  readonly ciphers?: string;
}

/** Identifies an offer: each is made once to each origin. */
export const offerKey = (url: URL, { version, ciphers }: HandshakeOffer): readonly unknown[] => [
  url.origin,
  version,
  ciphers,
];

/** The result of a TLS handshake with the target. */
export interface Handshake {
  readonly protocol: string;
  readonly cipher: string;
  readonly certificate: PeerCertificate;
  /** When it was made. */
  readonly at: Date;
  /** Why the certificate does not verify for the host; undefined when it does. */
  readonly distrust: string | undefined;
}

const HANDSHAKE_MS = 8_000;

interface HandshakeContext {
  readonly scope: Scope;
  readonly offer: HandshakeOffer;
  readonly signal: AbortSignal;
  readonly extraCa: string | undefined;
  readonly today: () => Date;
}

/**
 * @throws NetworkError `tls` when the server refuses the offer or this client cannot make it, other kinds when the
 * server cannot be reached.
 */
export function handshake(url: URL, context: HandshakeContext): Promise<Handshake> {
  const host = hostOf(url);
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>();
  const socket = connectTo(url, settings(host, context));
  socket.setTimeout(HANDSHAKE_MS, () =>
    socket.destroy(new NetworkError("timeout", "The TLS handshake took too long")),
  );
  socket.once("error", (error) => reject(toNetworkError(error)));
  socket.once("close", () =>
    reject(new NetworkError("tls", "The server closed the connection during the TLS handshake")),
  );
  socket.once("secureConnect", () => {
    const problem: unknown = socket.authorizationError; // typed as Error; Node gives its code or the Error
    resolve({
      protocol: socket.getProtocol() ?? "unknown",
      cipher: socket.getCipher().name,
      certificate: socket.getPeerCertificate(),
      at: context.today(),
      distrust: socket.authorized ? undefined : problem instanceof Error ? problem.message : String(problem),
    });
    socket.destroy();
  });
  return promise;
}

/** Errors of OpenSSL for ciphers that it does not support, before anything is sent. */
function connectTo(url: URL, options: ConnectionOptions): TLSSocket {
  try {
    return connect({ ...options, port: portOf(url) });
  } catch (error) {
    throw toNetworkError(error);
  }
}

function settings(
  host: string,
  { scope, offer, signal, extraCa }: HandshakeContext,
): ConnectionOptions & { signal: AbortSignal } {
  return {
    ...TARGET_TLS,
    host,
    lookup: scope.lookup,
    ...(isIP(host) ? {} : { servername: host }),
    ca: extraCa === undefined ? [...rootCertificates] : [...rootCertificates, extraCa],
    ...(offer.version === undefined ? {} : { minVersion: offer.version, maxVersion: offer.version }),
    ...(offer.ciphers === undefined ? {} : { ciphers: `${offer.ciphers}:@SECLEVEL=0` }),
    signal,
  };
}
