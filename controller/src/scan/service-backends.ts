import { type Endpoint, type Pin, scanFailure } from "@glovebox/contract";
import { isNotFound, KubeError, type KubeTransport, requestJson } from "@glovebox/kube";
import * as z from "zod";
import type { TargetResponse } from "./world.ts";

/** Limit of the endpoints of a Service, which are in its policy: whoever writes them must not control the size of that. */
const MAX_BACKENDS = 64;

const serviceSchema = z.object({
  spec: z.object({
    clusterIPs: z.array(z.string()).default([]),
    ports: z.array(z.object({ name: z.string().default(""), port: z.int() })).default([]),
  }),
});
export type ServiceObject = z.input<typeof serviceSchema>;

const slicesSchema = z.object({
  items: z
    .array(
      z.object({
        ports: z.array(z.object({ name: z.string().default(""), port: z.int().nullish() })).nullish(),
        endpoints: z
          .array(
            z.object({
              addresses: z.array(z.union([z.ipv4(), z.ipv6()])),
              conditions: z.object({ ready: z.boolean().nullish() }).nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
});
export type SliceList = z.input<typeof slicesSchema>;

/** Reads the Service and the EndpointSlices of a host name; undefined where it is none, or may not be read. */
export type ServiceReader = (
  host: string,
) => Promise<{ readonly service: ServiceObject; readonly slices: SliceList } | undefined>;

export const serviceReader =
  (transport: KubeTransport): ServiceReader =>
  async (host) => {
    const [, name, namespace] = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.|$)/.exec(host) ?? [];
    if (name === undefined || namespace === undefined) return undefined;
    const query = { labelSelector: `kubernetes.io/service-name=${name}` };
    const slicesPath = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
    try {
      const path = `/api/v1/namespaces/${namespace}/services/${name}`;
      const service = await requestJson<ServiceObject>(transport, { path });
      return { service, slices: await requestJson<SliceList>(transport, { path: slicesPath, query }) };
    } catch (error) {
      if (isNotFound(error) || (error instanceof KubeError && error.code === 403)) return undefined;
      throw error;
    }
  };

/** Network plugins judge a connection to a cluster IP by the pod to which it is forwarded: its backend. */
export interface BackendDeps {
  readonly readService: ServiceReader;
  /** Why a scan may not reach this backend of the host with this port; undefined if it may. */
  readonly refusal: (backend: Endpoint, host: string, port: number) => string | undefined;
}

/** The pins, with the backends of those that are the cluster IPs of a Service; or why one of these cannot be scanned. */
export async function withBackends(pins: readonly Pin[], deps: BackendDeps): Promise<TargetResponse> {
  const responses = await Promise.all(pins.map((pin) => withBackendsOf(pin, deps)));
  const failed = responses.find((response) => !response.ok);
  return failed ?? { ok: true, pins: responses.flatMap((response) => (response.ok ? response.pins : [])) };
}

async function withBackendsOf(pin: Pin, { readService, refusal }: BackendDeps): Promise<TargetResponse> {
  const { host, ports } = pin;
  const found = await readService(host);
  if (!found || !isClusterIp(pin, found.service)) return { ok: true, pins: [pin] };
  const ofPorts = ports.map((port) => ({ port, ofPort: backendsOf(found, port) }));
  const backends = distinct(ofPorts.flatMap(({ ofPort }) => ofPort));
  if (backends.length === 0)
    return failure("connection_refused", `The Service ${host} has no ready endpoint.`);
  if (backends.length > MAX_BACKENDS)
    return failure("egress_refused", `The Service ${host} has more than ${MAX_BACKENDS} endpoints.`);
  const reason = ofPorts
    .flatMap(({ port, ofPort }) => ofPort.map((backend) => refusal(backend, host, port)))
    .find((one) => one !== undefined);
  return reason === undefined
    ? { ok: true, pins: [{ ...pin, backends }] }
    : failure("egress_refused", `An endpoint of the Service ${host} is refused: ${reason}.`);
}

const failure = (code: "connection_refused" | "egress_refused", detail: string): TargetResponse => ({
  ok: false,
  failure: scanFailure(code, detail),
});

const isClusterIp = ({ addresses }: Pin, service: ServiceObject): boolean =>
  addresses.some((address) => serviceSchema.parse(service).spec.clusterIPs.includes(address));

/** The ready endpoints to which a port of the Service is forwarded. @internal */
export function backendsOf(
  found: { readonly service: ServiceObject; readonly slices: SliceList },
  port: number,
): Endpoint[] {
  const { spec } = serviceSchema.parse(found.service);
  const wanted = spec.ports.find((one) => one.port === port);
  if (!wanted) return [];
  const { items } = slicesSchema.parse(found.slices);
  return (items ?? []).flatMap(({ ports, endpoints }) => {
    const target = ports?.find(({ name }) => name === wanted.name)?.port;
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    return typeof target === "number"
      ? ready.flatMap(({ addresses }) => addresses.map((address) => ({ address, port: target })))
      : [];
  });
}

const distinct = (endpoints: readonly Endpoint[]): Endpoint[] => [
  ...new Map(endpoints.map((one) => [`${one.address} ${one.port}`, one])).values(),
];
