import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate for the name that is its own authority, made by openssl. */
export function certificateOf(hostName: string): { certPem: string; keyPem: string } {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-target-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const named = ["-subj", `/CN=${hostName}`, "-addext", `subjectAltName=DNS:${hostName}`, "-days", "30"];
  try {
    execFileSync("openssl", [...request, ...named, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { certPem: readFileSync(cert, "utf8"), keyPem: readFileSync(key, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Name of the ConfigMap that holds them (GLOVEBOX_EXTRA_CA_CONFIG_MAP). */
export const EXTRA_CA = "extra-ca";

/** The certificates that the scans of a namespace trust. */
export const extraCaObject = (namespace: string, pem: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: EXTRA_CA, namespace },
  data: { "extra-ca.pem": pem },
});
