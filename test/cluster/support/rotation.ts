import { getJson, kubectl } from "./kubectl.ts";

/** Size at which the kubelets of the cluster begin a new file for a container's log, in bytes. */
export async function rotationBytes(): Promise<number> {
  const { items } = await getJson<{ items: { metadata: { name: string } }[] }>("nodes");
  const sizes = await Promise.all(items.map(({ metadata }) => rotationBytesOf(metadata.name)));
  return Math.max(...sizes);
}

async function rotationBytesOf(node: string): Promise<number> {
  const said = await kubectl(["get", "--raw", `/api/v1/nodes/${node}/proxy/configz`]);
  const { kubeletconfig } = JSON.parse(said) as { kubeletconfig: { containerLogMaxSize: string } };
  const [, number, unit = ""] = /^(\d+)([KMG]i?)?$/.exec(kubeletconfig.containerLogMaxSize) ?? [];
  return Number(number) * (UNITS[unit] ?? 1);
}

const UNITS: Readonly<Record<string, number>> = {
  K: 1000,
  M: 1000 ** 2,
  G: 1000 ** 3,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};
