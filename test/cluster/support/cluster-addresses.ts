import { getJson } from "./kubectl.ts";

/** Addresses of the first node. */
export async function nodeAddresses(): Promise<string[]> {
  const { items } = await getJson<{ items: NodeObject[] }>("nodes");
  return items[0]!.status.addresses.filter(({ type }) => type === "InternalIP").map(({ address }) => address);
}

interface NodeObject {
  readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
}

/** A Service's own addresses and ports, and those of what is behind it. */
export interface ServiceAddresses {
  readonly addresses: readonly string[];
  readonly port: number;
  readonly nodePort: number | undefined;
  readonly behind: readonly { readonly address: string; readonly port: number }[];
}

/** Of the first port of the Service. */
export async function serviceAddresses(name: string, namespace: string): Promise<ServiceAddresses> {
  const { spec } = await getJson<ServiceObject>("service", name, "-n", namespace);
  const selector = `kubernetes.io/service-name=${name}`;
  const slices = await getJson<{ items: Slice[] }>("endpointslices", "-n", namespace, "-l", selector);
  return {
    addresses: spec.clusterIPs,
    port: spec.ports[0]!.port,
    nodePort: spec.ports[0]!.nodePort,
    behind: slices.items.flatMap(({ endpoints, ports }) =>
      endpoints.flatMap(({ addresses }) => addresses.map((address) => ({ address, port: ports[0]!.port }))),
    ),
  };
}

interface ServiceObject {
  readonly spec: {
    readonly clusterIPs: readonly string[];
    readonly ports: readonly { readonly port: number; readonly nodePort?: number }[];
  };
}
interface Slice {
  readonly endpoints: readonly { readonly addresses: readonly string[] }[];
  readonly ports: readonly { readonly port: number }[];
}
