import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";

/** Private key and certificate of a server on 127.0.0.1 that vouches for itself, as PEM. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** A certificate of X.509 version 3 (RFC 5280), valid for a day around now, made for one test. */
export function selfSigned(): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const signed = tbsCertificate(publicKey);
  const signature = sign("sha256", signed, createPrivateKey(privateKey));
  const certificate = sequence(signed, ECDSA_WITH_SHA256, tlv(0x03, Buffer.from([0]), signature));
  return { key: privateKey, cert: pem(certificate) };
}

const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Buffer[]): Buffer => tlv(0x30, ...parts);
const objectId = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, "hex"));
const octets = (content: Buffer): Buffer => tlv(0x04, content);

const ECDSA_WITH_SHA256 = sequence(objectId("2a8648ce3d040302"));
const COMMON_NAME = objectId("550403");
const SUBJECT_ALTERNATIVE_NAME = objectId("551d11");
const BASIC_CONSTRAINTS = objectId("551d13");
const TRUE = tlv(0x01, Buffer.from([0xff]));
const DAY_MS = 86_400_000;

function tbsCertificate(publicKey: Buffer): Buffer {
  const version3 = tlv(0xa0, tlv(0x02, Buffer.from([2])));
  const serial = tlv(0x02, Buffer.from([1]));
  const name = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from("fake-kube-apiserver")))));
  const validity = sequence(utcTime(-DAY_MS / 2), utcTime(DAY_MS / 2));
  const loopback = tlv(0x87, Buffer.from([127, 0, 0, 1])); // iPAddress
  const extensions = sequence(
    sequence(SUBJECT_ALTERNATIVE_NAME, octets(sequence(loopback))),
    sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE))),
  );
  return sequence(
    version3,
    serial,
    ECDSA_WITH_SHA256,
    name,
    validity,
    name,
    publicKey,
    tlv(0xa3, extensions),
  );
}

function utcTime(fromNow: number): Buffer {
  const digits = new Date(Date.now() + fromNow).toISOString().replace(/\D/g, "").slice(2, 14);
  return tlv(0x17, Buffer.from(`${digits}Z`));
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g)!;
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
