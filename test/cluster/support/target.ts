import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { selfSignedCertificate } from "./certificate.ts";
import { SCANNER_IMAGE } from "./node-program.ts";
import { apply, createNamespace, getJson, kubectl } from "./kubectl.ts";
import { outsideOfCluster, serveOutside, type Outside } from "./outside.ts";

/** An API over HTTPS. */
export interface Target {
  readonly address: string;
  /** All addresses: `address` is the first. */
  readonly addresses: readonly string[];
  /** Certificate to trust. */
  readonly caPem: string;
  /** One line for each request: client address, method and path. */
  requests(): Promise<string[]>;
  /** One line for each client of TARGET_PORTS.other. */
  otherPortClients(): Promise<string[]>;
  remove(): Promise<void>;
}

export interface TargetOptions {
  readonly namespace: string;
  readonly hostName: string;
  /** How long each response takes. Slow targets give a test time to interrupt their scan. */
  readonly delayMs?: number;
  /** Locations to which it redirects, by path. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Its program, a file of this folder; target-server.mjs by default. */
  readonly server?: string;
}

/** The port of HTTPS, and one that no scan may reach, by TCP and UDP. */
export const TARGET_PORTS = { https: 443, other: 8443 };

/**
 * Starts a target in a pod of a separate namespace without policies. With GLOVEBOX_CLUSTER_TARGETS=outside, it runs outside the
 * cluster: some network plugins match the address of a pod by no CIDR.
 */
export async function startTarget(options: TargetOptions): Promise<Target> {
  if (process.env["GLOVEBOX_CLUSTER_TARGETS"] !== "outside") return startInPod(options);
  const outside = outsideOfCluster();
  if (!outside) throw new Error("GLOVEBOX_CLUSTER_TARGETS=outside needs GLOVEBOX_CLUSTER_WORLD.");
  return startOutside(options, outside);
}

async function startOutside(options: TargetOptions, outside: Outside): Promise<Target> {
  const { hostName, server: file = "target-server.mjs" } = options;
  const { certPem, keyPem } = selfSignedCertificate(hostName);
  // Each target has its own address. Other servers of the tests use those below 30.
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
    otherPortClients: () => logged(OTHER_PORT),
    remove: () => server.stop(),
  };
}

const REQUEST = /^\S+ [A-Z]+ /;
const OTHER_PORT = /^other-port /;

async function startInPod(options: TargetOptions): Promise<Target> {
  const { namespace, hostName, server: file = "target-server.mjs" } = options;
  const { certPem, keyPem } = selfSignedCertificate(hostName);
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
    otherPortClients: () => logged(OTHER_PORT),
    remove: async () => void (await kubectl(["delete", "namespace", namespace, "--wait=false"])),
  };
}

interface PodObject {
  readonly status: { readonly podIP: string; readonly podIPs: readonly { readonly ip: string }[] };
}

/** The environment variables of target-server.mjs. */
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
