import { randomInt } from "node:crypto";
import { nodeAddresses, serviceAddresses } from "./cluster-addresses.ts";
import { addressesForPods } from "./controller.ts";
import { apply, createNamespace, kubectl } from "./kubectl.ts";
import { listenInPod, listenInProcess, listenInWorld, type Listener } from "./listeners.ts";

/** A place to break out to. */
export interface Destination {
  readonly what: string;
  /** By UDP a DNS query is sent, and any answer counts. */
  readonly protocol: "tcp" | "udp";
  readonly address: string;
  readonly port: number;
}

/** One for each address, with the protocols named. */
export const destinations = (
  what: string,
  addresses: readonly string[],
  ...ends: readonly `${Destination["protocol"]} ${number}`[]
): Destination[] =>
  addresses.flatMap((address) =>
    ends.map((end) => {
      const [protocol, port] = end.split(" ") as [Destination["protocol"], string];
      return { what, protocol, address, port: Number(port) };
    }),
  );

/** How a destination is named in what a test says. */
export const nameOf = ({ what, protocol, address, port }: Destination): string =>
  `${what}: ${protocol} ${address} ${port}`;

/** What a scan pod has around it, besides its target. */
export interface Surroundings {
  /** Without any policy; pods there reach everything. */
  readonly namespace: string;
  readonly destinations: readonly Destination[];
  /** Destinations that this cluster cannot offer, and what is missing for them. */
  readonly missing: readonly string[];
  /** Servers of ours among them, which count who calls. */
  readonly listeners: readonly Listener[];
  close(): Promise<void>;
}

const POD_PORT = 8080;
const KUBELET_PORT = 10_250;

/** Puts servers into the cluster, on a node, on this machine and outside, and finds those of the cluster itself. */
export async function setSurroundings(scanNamespace: string): Promise<Surroundings> {
  const namespace = `${scanNamespace}-around`;
  await createNamespace(namespace);
  await apply(bystanderService(namespace), openedNeighbour(scanNamespace));
  const nodePort = randomInt(20_000, 29_000);
  const [nodes, apiServer, dns, bystander, neighbour, onNode, machine, world] = await Promise.all([
    nodeAddresses(),
    serviceAddresses("kubernetes", "default"),
    serviceAddresses("kube-dns", "kube-system").catch(() => undefined),
    listenInPod("bystander", { namespace, port: POD_PORT }),
    listenInPod("neighbour", { namespace: scanNamespace, port: POD_PORT }),
    listenInPod("on-node", { namespace, port: nodePort, spec: { hostNetwork: true } }),
    addressesForPods().then((addresses) => listenInProcess(addresses)),
    listenInWorld(),
  ]);
  const service = await serviceAddresses("bystander", namespace);
  const listeners = [bystander, neighbour, onNode, machine, world.internet, world.metadata];
  const at = (what: string, listener: Listener | undefined) =>
    destinations(what, listener?.addresses ?? [], `tcp ${listener?.port ?? 0}`, `udp ${listener?.port ?? 0}`);
  return {
    namespace,
    destinations: [
      ...destinations("the API server's Service", apiServer.addresses, `tcp ${apiServer.port}`),
      ...apiServer.behind.flatMap(({ address, port }) =>
        destinations("the API server itself", [address], `tcp ${port}`),
      ),
      ...destinations("the kubelet", nodes, `tcp ${KUBELET_PORT}`),
      ...destinations("a node at another port", nodes, `tcp ${nodePort}`, `udp ${nodePort}`),
      ...destinations("a NodePort", nodes, `tcp ${service.nodePort!}`),
      ...destinations("a Service", service.addresses, `tcp ${service.port}`),
      ...at("another pod", bystander),
      ...at("a pod of the scans' namespace", neighbour),
      ...destinations("the cluster's DNS", dns?.addresses ?? [], "udp 53", "tcp 53"),
      ...(dns?.behind ?? []).flatMap(({ address, port }) =>
        destinations("a pod of the cluster's DNS", [address], `udp ${port}`, `tcp ${port}`),
      ),
      ...at("a private address", machine),
      ...at("the internet", world.internet),
      ...at("the metadata service", world.metadata),
    ],
    missing: [
      ...(dns ? [] : ["DNS: there is no Service kube-dns"]),
      ...(world.internet ? [] : ["the internet: GLOVEBOX_CLUSTER_WORLD is not set"]),
      ...(world.metadata ? [] : ["the metadata service: no GLOVEBOX_CLUSTER_WORLD at 169.254.169.254"]),
    ],
    listeners: listeners.filter((listener) => listener !== undefined),
    async close() {
      for (const listener of [machine, world.internet, world.metadata]) await listener?.close();
      await kubectl(["delete", "namespace", namespace, "--wait=false"]);
    },
  };
}

const bystanderService = (namespace: string): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "bystander", namespace },
  spec: {
    type: "NodePort",
    ipFamilyPolicy: "PreferDualStack",
    selector: { app: "bystander" },
    ports: [{ port: 80, targetPort: POD_PORT }],
  },
});

/** Others may reach it, as the control does: what keeps a scan from it is the scan's own seal. */
const openedNeighbour = (namespace: string): object => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "neighbour", namespace },
  spec: { podSelector: { matchLabels: { app: "neighbour" } }, policyTypes: ["Ingress"], ingress: [{}] },
});
