import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { certificateOf } from "./certificate.ts";
import { SCANNER_IMAGE } from "./node-program.ts";
import { apply, createNamespace, getJson, kubectl } from "./kubectl.ts";
import { outsideOfCluster, serveOutside, type Outside } from "./outside.ts";

/** An API over HTTPS. */
export interface Target {
  readonly address: string;
  /** All that it has: `address` is the first. */
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

/**
 * In a pod of a namespace of its own, without a policy: whoever is let out reaches it. Outside the cluster with
 * GLOVEBOX_CLUSTER_TARGETS=outside, for network plugins by which no policy opens the address of a pod.
 */
export async function startTarget(options: TargetOptions): Promise<Target> {
  if (process.env["GLOVEBOX_CLUSTER_TARGETS"] !== "outside") return startInPod(options);
  const outside = outsideOfCluster();
  if (!outside) throw new Error("GLOVEBOX_CLUSTER_TARGETS=outside needs GLOVEBOX_CLUSTER_WORLD.");
  return startOutside(options, outside);
}

async function startOutside(options: TargetOptions, outside: Outside): Promise<Target> {
  const { hostName, server: file = "target-server.mjs" } = options;
  const { certPem, keyPem } = certificateOf(hostName);
  // Several targets at once have an address each; those below 30 are taken by other servers of the tests.
  const address = `${outside.network}.${randomInt(30, 250)}`;
  const program = fileURLToPath(new URL(file, import.meta.url));
  const server = await serveOutside(outside, {
    program,
    address,
    certPem,
    keyPem,
    env: targetSettings(options),
  });
  const logged = async (pattern: RegExp) => server.lines.filter((line) => pattern.test(line));
  return {
    address,
    addresses: [address],
    caPem: certPem,
    requests: () => logged(REQUEST),
    strays: () => logged(STRAY),
    remove: () => server.stop(),
  };
}

const REQUEST = /^\S+ [A-Z]+ /;
const STRAY = /^stray /;

async function startInPod(options: TargetOptions): Promise<Target> {
  const { namespace, hostName, server: file = "target-server.mjs" } = options;
  const { certPem, keyPem } = certificateOf(hostName);
  const server = readFileSync(new URL(file, import.meta.url), "utf8");
  const metadata = { name: "target", namespace };
  await createNamespace(namespace);
  await apply(
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
    requests: () => logged(REQUEST),
    strays: () => logged(STRAY),
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
