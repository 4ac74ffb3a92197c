import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCANNER_IMAGE } from "./images.ts";
import { apply, getJson, kubectl } from "./kubectl.ts";

/** An API over HTTPS in a pod of a namespace of its own. */
export interface Target {
  readonly address: string;
  /** Certificate to trust. */
  readonly caPem: string;
  /** One line for each request: who, method, path. */
  requests(): Promise<string[]>;
  remove(): Promise<void>;
}

export interface TargetOptions {
  readonly namespace: string;
  readonly hostName: string;
  /** How long each answer takes, for scans that something is to happen to. */
  readonly delayMs?: number;
}

/** Starts it; it has no policy of its own, so whoever is let out reaches it. */
export async function startTarget({ namespace, hostName, delayMs = 0 }: TargetOptions): Promise<Target> {
  const { certPem, keyPem } = certificateOf(hostName);
  const server = readFileSync(new URL("target-server.mjs", import.meta.url), "utf8");
  const metadata = { name: "target", namespace };
  await apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { "server.mjs": server, "cert.pem": certPem, "key.pem": keyPem },
    },
    { apiVersion: "v1", kind: "Pod", metadata, spec: podSpec(hostName, delayMs) },
  );
  await kubectl(["wait", "pod/target", "-n", namespace, "--for=condition=Ready", "--timeout=120s"]);
  const { status } = await getJson<{ status: { podIP: string } }>("pod", "target", "-n", namespace);
  return {
    address: status.podIP,
    caPem: certPem,
    async requests() {
      const log = await kubectl(["logs", "target", "-n", namespace]);
      return log.split("\n").filter((line) => /^\S+ [A-Z]+ /.test(line));
    },
    remove: async () => void (await kubectl(["delete", "namespace", namespace, "--wait=false"])),
  };
}

const podSpec = (hostName: string, delayMs: number): object => ({
  terminationGracePeriodSeconds: 0,
  automountServiceAccountToken: false,
  containers: [
    {
      name: "target",
      image: SCANNER_IMAGE,
      imagePullPolicy: "IfNotPresent",
      command: ["node", "/target/server.mjs"],
      env: [
        { name: "HOST_NAME", value: hostName },
        { name: "DELAY_MS", value: String(delayMs) },
      ],
      securityContext: { runAsUser: 0 },
      readinessProbe: { tcpSocket: { port: 443 }, periodSeconds: 1 },
      volumeMounts: [{ name: "files", mountPath: "/target" }],
    },
  ],
  volumes: [{ name: "files", configMap: { name: "target" } }],
});

/** A certificate for the name that is its own authority, made by openssl. */
function certificateOf(hostName: string): { certPem: string; keyPem: string } {
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
