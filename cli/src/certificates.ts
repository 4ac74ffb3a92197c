import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Certificates in PEM form, given as the text itself or as the path of a file that holds it.
 * @throws Error whose message is the reason, ready to follow the name of a setting or option.
 */
export function readCertificates(textOrPath: string): string {
  const pem = textOrPath.includes("-----BEGIN") ? textOrPath : readText(textOrPath);
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0) throw new Error("contains no certificate in PEM format");
  for (const block of blocks) {
    if (!isCertificate(block)) throw new Error("contains an invalid certificate");
  }
  return blocks.join("\n") + "\n";
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error("is neither PEM text nor a file that can be read", { cause });
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
