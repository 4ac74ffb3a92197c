import { readFileSync } from "node:fs";
import { certificateOf } from "./certificate.ts";
import { SCANNER_IMAGE } from "./node-program.ts";
import { apply, getJson, kubectl } from "./kubectl.ts";

/** An API over HTTPS in a pod of a namespace of its own. */
export interface Target {
  readonly address: string;
  /** All of the pod's: `address` is the first. */
  readonly addresses: readonly string[];
  /** Certificate to trust. */
  readonly caPem: string;
  /** One line for each request: who, method, path. */
  requests(): Promise<string[]>;
  /** Whoever connected to another port than that of HTTPS: it listens at TARGET_PORTS.other, too. */
  strays(): Promise<string[]>;
  remove(): Promise<void>;
}

export interface TargetOptions {
  readonly namespace: string;
  readonly hostName: string;
  /** How long each answer takes, for scans that something is to happen to. */
  readonly delayMs?: number;
  /** Where it sends whoever asks for these paths. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Its program, a file of this folder; target-server.mjs when absent. */
  readonly server?: string;
}

/** HTTPS, and one that no scan is let to, by TCP and UDP. */
export const TARGET_PORTS = { https: 443, other: 8443 };

/** Starts it; it has no policy of its own, so whoever is let out reaches it. */
export async function startTarget(options: TargetOptions): Promise<Target> {
  const { namespace, hostName, server: file = "target-server.mjs" } = options;
  const { certPem, keyPem } = certificateOf(hostName);
  const server = readFileSync(new URL(file, import.meta.url), "utf8");
  const metadata = { name: "target", namespace };
  await apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { "server.mjs": server, "cert.pem": certPem, "key.pem": keyPem },
    },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, labels: { app: "target" } },
      spec: podSpec(options),
    },
  );
  await kubectl(["wait", "pod/target", "-n", namespace, "--for=condition=Ready", "--timeout=120s"]);
  const { status } = await getJson<PodObject>("pod", "target", "-n", namespace);
  const logged = async (pattern: RegExp): Promise<string[]> =>
    (await kubectl(["logs", "target", "-n", namespace])).split("\n").filter((line) => pattern.test(line));
  return {
    address: status.podIP,
    addresses: status.podIPs.map(({ ip }) => ip),
    caPem: certPem,
    requests: () => logged(/^\S+ [A-Z]+ /),
    strays: () => logged(/^stray /),
    remove: async () => void (await kubectl(["delete", "namespace", namespace, "--wait=false"])),
  };
}

interface PodObject {
  readonly status: { readonly podIP: string; readonly podIPs: readonly { readonly ip: string }[] };
}

/** What target-server.mjs finds in its environment. */
export const targetSettings = ({
  hostName,
  delayMs = 0,
  redirects = {},
}: Omit<TargetOptions, "namespace">) => ({
  HOST_NAME: hostName,
  DELAY_MS: String(delayMs),
  REDIRECTS: JSON.stringify(redirects),
  PORTS: JSON.stringify(TARGET_PORTS),
});

const podSpec = (options: TargetOptions): object => ({
  terminationGracePeriodSeconds: 0,
  automountServiceAccountToken: false,
  containers: [
    {
      name: "target",
      image: SCANNER_IMAGE,
      imagePullPolicy: "IfNotPresent",
      command: ["node", "/target/server.mjs"],
      env: Object.entries(targetSettings(options)).map(([name, value]) => ({ name, value })),
      securityContext: { runAsUser: 0 },
      readinessProbe: { tcpSocket: { port: 443 }, periodSeconds: 1 },
      volumeMounts: [{ name: "files", mountPath: "/target" }],
    },
  ],
  volumes: [{ name: "files", configMap: { name: "target" } }],
});
