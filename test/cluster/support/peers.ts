import { randomInt } from "node:crypto";
import { nodeAddresses, serviceAddresses } from "./cluster-addresses.ts";
import { addressesForPods } from "./controller.ts";
import { apply, createNamespace, kubectl } from "./kubectl.ts";
import { listenInPod, listenInProcess, listenOutside, type Listener } from "./listeners.ts";

/** A destination that a scan pod must not reach. */
export interface Destination {
  readonly description: string;
  /** With UDP, a DNS query is sent, and any response counts. */
  readonly protocol: "tcp" | "udp";
  readonly address: string;
  readonly port: number;
}

/** One destination for each address and each of the ports, such as `tcp 443`. */
export const destinations = (
  description: string,
  addresses: readonly string[],
  ...ports: readonly `${Destination["protocol"]} ${number}`[]
): Destination[] =>
  addresses.flatMap((address) =>
    ports.map((text) => {
      const [protocol, port] = text.split(" ") as [Destination["protocol"], string];
      return { description, protocol, address, port: Number(port) };
    }),
  );

/** A text by which test results name a destination. */
export const nameOf = ({ description, protocol, address, port }: Destination): string =>
  `${description}: ${protocol} ${address} ${port}`;

/** The network peers of a scan pod besides its target: parts of the cluster, pods, and servers inside and outside. */
export interface Peers {
  /** A namespace without policies, whose pods reach every destination. */
  readonly namespace: string;
  readonly destinations: readonly Destination[];
  /** Destinations that this cluster does not have, each with the reason. */
  readonly missing: readonly string[];
  /** The servers among the destinations that record their clients. */
  readonly listeners: readonly Listener[];
  close(): Promise<void>;
}

const POD_PORT = 8080;
const KUBELET_PORT = 10_250;
const OTHER_POD = "other-namespace";
const SAME_NAMESPACE = "same-namespace";

/** Starts servers in pods, on a node, on this machine and outside the cluster, and finds the servers of the cluster itself. */
export async function startPeers(scanNamespace: string): Promise<Peers> {
  const namespace = `${scanNamespace}-peers`;
  await createNamespace(namespace);
  await apply(serviceOfOtherPod(namespace), ingressToSameNamespace(scanNamespace));
  const nodePort = randomInt(20_000, 29_000);
  const [nodes, apiServer, dns, otherPod, sameNamespace, onNode, machine, outside] = await Promise.all([
    nodeAddresses(),
    serviceAddresses("kubernetes", "default"),
    serviceAddresses("kube-dns", "kube-system").catch(() => undefined),
    listenInPod(OTHER_POD, { namespace, port: POD_PORT }),
    listenInPod(SAME_NAMESPACE, { namespace: scanNamespace, port: POD_PORT }),
    listenInPod("on-node", { namespace, port: nodePort, spec: { hostNetwork: true } }),
    addressesForPods().then((addresses) => listenInProcess(addresses)),
    listenOutside(),
  ]);
  const service = await serviceAddresses(OTHER_POD, namespace);
  const listeners = [...[otherPod, sameNamespace, onNode, machine], ...[outside.internet, outside.metadata]];
  const at = (description: string, listener: Listener | undefined) =>
    destinations(
      description,
      listener?.addresses ?? [],
      `tcp ${listener?.port ?? 0}`,
      `udp ${listener?.port ?? 0}`,
    );
  return {
    namespace,
    destinations: [
      ...destinations("the API server's Service", apiServer.addresses, `tcp ${apiServer.port}`),
      ...apiServer.endpoints.flatMap(({ address, port }) =>
        destinations("the API server itself", [address], `tcp ${port}`),
      ),
      ...destinations("the kubelet", nodes, `tcp ${KUBELET_PORT}`),
      ...destinations("a node at another port", nodes, `tcp ${nodePort}`, `udp ${nodePort}`),
      ...destinations("a NodePort", nodes, `tcp ${service.nodePort!}`),
      ...destinations("a Service", service.addresses, `tcp ${service.port}`),
      ...at("a pod of another namespace", otherPod),
      ...at("a pod of the scan namespace", sameNamespace),
      ...destinations("the cluster's DNS", dns?.addresses ?? [], "udp 53", "tcp 53"),
      ...(dns?.endpoints ?? []).flatMap(({ address, port }) =>
        destinations("a pod of the cluster's DNS", [address], `udp ${port}`, `tcp ${port}`),
      ),
      ...at("a private address", machine),
      ...at("the internet", outside.internet),
      ...at("the metadata service", outside.metadata),
    ],
    missing: [
      ...(dns ? [] : ["DNS: there is no Service kube-dns"]),
      ...(outside.internet ? [] : ["the internet: GLOVEBOX_CLUSTER_WORLD is not set"]),
      ...(outside.metadata ? [] : ["the metadata service: no GLOVEBOX_CLUSTER_WORLD at 169.254.169.254"]),
    ],
    listeners: listeners.filter((listener) => listener !== undefined),
    async close() {
      for (const listener of [machine, outside.internet, outside.metadata]) await listener?.close();
      await kubectl(["delete", "namespace", namespace, "--wait=false"]);
    },
  };
}

const serviceOfOtherPod = (namespace: string): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: OTHER_POD, namespace },
  spec: {
    type: "NodePort",
    ipFamilyPolicy: "PreferDualStack",
    selector: { app: OTHER_POD },
    ports: [{ port: 80, targetPort: POD_PORT }],
  },
});

/** Allows ingress to the pod in the scan namespace: only the scan's own policy keeps a scan from reaching it. */
const ingressToSameNamespace = (namespace: string): object => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: SAME_NAMESPACE, namespace },
  spec: { podSelector: { matchLabels: { app: SAME_NAMESPACE } }, policyTypes: ["Ingress"], ingress: [{}] },
});
