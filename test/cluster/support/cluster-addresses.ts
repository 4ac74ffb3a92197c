import { isIPv6 } from "node:net";
import { getJson } from "./kubectl.ts";

/** `address:port`, with brackets around an IPv6 address. */
export const hostPort = (address: string, port: number): string =>
  `${isIPv6(address) ? `[${address}]` : address}:${port}`;

/** Addresses of the first node. */
export async function nodeAddresses(): Promise<string[]> {
  const { items } = await getJson<{ items: NodeObject[] }>("nodes");
  return items[0]!.status.addresses.filter(({ type }) => type === "InternalIP").map(({ address }) => address);
}

interface NodeObject {
  readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
}

/** Addresses and ports of a Service and of its endpoints. */
export interface ServiceAddresses {
  readonly addresses: readonly string[];
  readonly port: number;
  readonly nodePort: number | undefined;
  readonly endpoints: readonly { readonly address: string; readonly port: number }[];
}

/** For the first port of the Service. */
export async function serviceAddresses(name: string, namespace: string): Promise<ServiceAddresses> {
  const { spec } = await getJson<ServiceObject>("service", name, "-n", namespace);
  const selector = `kubernetes.io/service-name=${name}`;
  const slices = await getJson<{ items: Slice[] }>("endpointslices", "-n", namespace, "-l", selector);
  return {
    addresses: spec.clusterIPs,
    port: spec.ports[0]!.port,
    nodePort: spec.ports[0]!.nodePort,
    endpoints: slices.items.flatMap(({ endpoints, ports }) =>
      (endpoints ?? []).flatMap(({ addresses }) =>
        addresses.map((address) => ({ address, port: ports![0]!.port })),
      ),
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
  /** Null, like the ports, where there is none. */
  readonly endpoints: readonly { readonly addresses: readonly string[] }[] | null;
  readonly ports: readonly { readonly port: number }[] | null;
}
