import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A self-signed certificate for a DNS name or an IP address, made by openssl. */
export function selfSignedCertificate(host: string): { certPem: string; keyPem: string } {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-target-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const name = `subjectAltName=${isIP(host) ? "IP" : "DNS"}:${host}`;
  const subject = ["-subj", "/CN=glovebox-test", "-addext", name, "-days", "30"];
  try {
    execFileSync("openssl", [...request, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { certPem: readFileSync(cert, "utf8"), keyPem: readFileSync(key, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Name of the ConfigMap (GLOVEBOX_EXTRA_CA_CONFIG_MAP). */
export const EXTRA_CA = "extra-ca";

/** The ConfigMap with the certificates that the scans of a namespace trust. */
export const extraCaObject = (namespace: string, pem: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: EXTRA_CA, namespace },
  data: { "extra-ca.pem": pem },
});
