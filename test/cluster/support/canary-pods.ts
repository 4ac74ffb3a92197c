import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { hostPort } from "./cluster-addresses.ts";
import { apply, getJson, kubectl } from "./kubectl.ts";
import { podOf, RESTRICTED, SCANNER_IMAGE } from "./node-program.ts";
import { until } from "./until.ts";

const PROGRAM = fileURLToPath(new URL("../../../controller/src/canary/main.ts", import.meta.url));
const PORT = 8099;

/** Canaries in pods without a policy, as in the chart. After a pod is deleted, nothing refuses connections to its address. */
export interface CanaryPods {
  /** The controller's GLOVEBOX_CANARIES. */
  readonly endpoints: string;
  /** Deletes all of them immediately, without a grace period. */
  delete(): Promise<void>;
}

/** Starts canaries in an existing namespace. Their program is bundled from the sources and mounted from a ConfigMap. */
export async function startCanaryPods(namespace: string, names: readonly string[]): Promise<CanaryPods> {
  const program = { name: "program", configMap: { name: names[0]! } };
  const data = { "canary.mjs": await bundled() };
  const container = {
    image: SCANNER_IMAGE,
    imagePullPolicy: "IfNotPresent",
    command: ["node", "/program/canary.mjs"],
    env: [
      { name: "POD_IPS", valueFrom: { fieldRef: { fieldPath: "status.podIPs" } } },
      { name: "GLOVEBOX_CANARY_PORT", value: String(PORT) },
      { name: "GLOVEBOX_CANARIES", value: `${names[0]}:${PORT}` },
    ],
    readinessProbe: { tcpSocket: { port: PORT }, periodSeconds: 1 },
    securityContext: RESTRICTED,
    volumeMounts: [{ name: "program", mountPath: "/program" }],
  };
  const labels = { canaries: names[0]! };
  await apply(
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: names[0], namespace }, data },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: names[0], namespace },
      spec: {
        clusterIP: "None",
        ipFamilyPolicy: "PreferDualStack",
        selector: labels,
        ports: [{ port: PORT }],
      },
    },
    ...names.map((name) => podOf({ name, namespace, labels }, container, { volumes: [program] })),
  );
  const pods = names.map((name) => `pod/${name}`);
  await kubectl(["wait", ...pods, "-n", namespace, "--for=condition=Ready", "--timeout=120s"]);
  const addresses = await Promise.all(names.map((name) => addressesOf(name, namespace)));
  return {
    endpoints: addresses
      .flat()
      .map((ip) => hostPort(ip, PORT))
      .join(),
    async delete() {
      await kubectl(["delete", ...pods, "-n", namespace, "--grace-period=0", "--force"]);
      await until("the end of the canaries", async () => {
        const { items } = await getJson<{ items: object[] }>(
          "pods",
          "-n",
          namespace,
          "-l",
          `canaries=${names[0]}`,
        );
        return items.length === 0;
      });
    },
  };
}

async function addressesOf(pod: string, namespace: string): Promise<string[]> {
  const { status } = await getJson<{ status: { podIPs: { ip: string }[] } }>("pod", pod, "-n", namespace);
  return status.podIPs.map(({ ip }) => ip);
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [PROGRAM],
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    write: false,
  });
  return outputFiles[0]!.text;
}
