import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { apply, getJson, kubectl } from "./kubectl.ts";
import { podOf, RESTRICTED, SCANNER_IMAGE } from "./node-program.ts";
import { until } from "./until.ts";

const PROGRAM = fileURLToPath(new URL("../../../controller/src/canary/main.ts", import.meta.url));
const PORT = 8099;

/** Canaries in pods without a seal, as the chart has them: of one that is deleted nothing is left that could refuse. */
export interface CanaryPods {
  /** Where they are: a controller's GLOVEBOX_CANARIES. */
  readonly places: string;
  /** Takes all of them away at once. */
  delete(): Promise<void>;
}

/** In a namespace that is there. Their program is bundled from the sources, into one file that fits into a ConfigMap. */
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
    places: addresses
      .flat()
      .map((ip) => `${ip.includes(":") ? `[${ip}]` : ip}:${PORT}`)
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
