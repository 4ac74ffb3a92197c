import { Reply, type ProbeRequest } from "../transport/exchange.ts";
import type { Handshake, HandshakeOffer } from "../transport/tls-handshake.ts";

/** Not a method of HTTP: what evidence calls a handshake. */
export const HANDSHAKE = "TLS";

/** A handshake in the form of evidence: what was offered stands for headers; its status is 0, because there is none. */
export function handshakeReply(target: URL, offer: HandshakeOffer, made: Handshake): Reply {
  const { protocol, cipher, distrust, certificate } = made;
  const {
    subject,
    issuer,
    valid_from: validFrom,
    valid_to: validTo,
    subjectaltname: names,
    bits,
  } = certificate;
  return new Reply({
    request: { method: HANDSHAKE, url: target.origin, headers: { ...offer } },
    status: 0,
    headers: {},
    body: JSON.stringify(
      { protocol, cipher, subject, issuer, validFrom, validTo, names, bits, distrust },
      null,
      1,
    ),
  });
}

/** curl's options that make the same offer; `-v` shows what was agreed on. */
export function handshakeOptions({ headers = {} }: ProbeRequest): string[] {
  const { version, ciphers } = headers;
  const number = version === undefined ? undefined : (/\d\.\d$/.exec(version)?.[0] ?? "1.0");
  return [
    "-skv",
    ...(number === undefined ? [] : [`--tlsv${number}`, "--tls-max", number]),
    // curl's own level of security would refuse to offer what is weak.
    ...(version === undefined && ciphers === undefined
      ? []
      : ["--ciphers", `'${ciphers ?? "DEFAULT"}:@SECLEVEL=0'`]),
  ];
}
