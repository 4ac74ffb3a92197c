import { X509Certificate, createPrivateKey, type webcrypto } from "node:crypto";
// Must be first: the next import uses these functions when it loads.
import "./metadata-reflection.ts";
import * as x509 from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;
const CA_DAYS = 3650;
/** Under the 397 days that clients accept (CA/Browser Forum Baseline Requirements, 6.3.2). */
const LEAF_DAYS = 365;

/** All PEM. `caPem` is what a client trusts, `certPem` and `keyPem` are what a server presents. */
export interface DemoCertificates {
  caPem: string;
  caKeyPem: string;
  certPem: string;
  keyPem: string;
}

/** Creates an authority and a server certificate for 127.0.0.1, ::1 and localhost. Stores nothing. */
export async function createDemoCertificates(now: Date = new Date()): Promise<DemoCertificates> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Glovebox demo authority",
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(now, CA_DAYS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const authority = { caPem: pem(certificate), caKeyPem: await privatePem(keys.privateKey) };
  return { ...authority, ...(await issueLeaf(authority, now)) };
}

/** Creates a server certificate and key, signed by this authority. */
export async function issueLeaf(
  authority: Pick<DemoCertificates, "caPem" | "caKeyPem">,
  now: Date,
): Promise<Pick<DemoCertificates, "certPem" | "keyPem">> {
  const ca = new x509.X509Certificate(authority.caPem);
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: "CN=localhost",
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: await importPrivateKey(authority.caKeyPem),
    signingAlgorithm: ALGORITHM,
    ...validity(now, LEAF_DAYS),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
        { type: "ip", value: "::1" },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(ca.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certPem: pem(certificate), keyPem: await privatePem(keys.privateKey) };
}

/** Whole days until the certificate expires; negative if it has expired. */
export function daysLeft(certificatePem: string, now: Date): number {
  return Math.floor((new X509Certificate(certificatePem).validToDate.getTime() - now.getTime()) / DAY_MS);
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

/** Valid from an hour ago, for clients whose clocks are behind. */
function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  const start = now.getTime() - 3_600_000;
  return { notBefore: new Date(start), notAfter: new Date(start + days * DAY_MS) };
}

function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString("pem")}\n`;
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", key));
  return createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" })
    .export({ format: "pem", type: "pkcs8" })
    .toString();
}

function importPrivateKey(keyPem: string): Promise<webcrypto.CryptoKey> {
  const pkcs8 = createPrivateKey(keyPem).export({ format: "der", type: "pkcs8" });
  return crypto.subtle.importKey("pkcs8", new Uint8Array(pkcs8), ALGORITHM, false, ["sign"]);
}
