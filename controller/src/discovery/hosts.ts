import type { KubeObject } from "@glovebox/kube";

/** The kinds of objects that name hosts. */
export type DiscoveredKind = "Ingress" | "HTTPRoute" | "Service";

/** An object whose hosts may be scanned: the fields that are read of all three kinds. */
export interface DiscoveredObject extends KubeObject {
  readonly spec?: {
    /** Of an Ingress. */
    readonly rules?: readonly { readonly host?: string }[];
    readonly tls?: readonly { readonly hosts?: readonly string[] }[];
    /** Of an HTTPRoute. */
    readonly hostnames?: readonly string[];
    /** Of a Service. */
    readonly type?: string;
    readonly ports?: readonly {
      readonly name?: string;
      readonly appProtocol?: string;
      readonly port: number;
    }[];
  };
}

/**
 * The addresses that the object serves over HTTPS, without duplicates: the hosts of an Ingress that its `tls` covers, the hostnames of
 * an HTTPRoute, and the ports of a Service for HTTPS. A name with a wildcard is not an address.
 */
export function addressesOf(kind: DiscoveredKind, object: DiscoveredObject): string[] {
  const urls =
    kind === "Service" ? serviceUrls(object) : hostsOf(kind, object).map((host) => `https://${host}/`);
  return [...new Set(urls)];
}

function hostsOf(kind: "Ingress" | "HTTPRoute", { spec = {} }: DiscoveredObject): string[] {
  const named = (hosts: readonly (string | undefined)[]): string[] =>
    hosts.filter((host) => host !== undefined && host !== "" && !host.includes("*")) as string[];
  if (kind === "HTTPRoute") return named(spec.hostnames ?? []);
  const { tls = [], rules = [] } = spec;
  const covered = tls.flatMap(({ hosts = [] }) => hosts);
  // Without hosts, the certificate is the one of the whole controller.
  const isAny = tls.some(({ hosts = [] }) => hosts.length === 0);
  const hosts = named(rules.map(({ host }) => host));
  if (hosts.length === 0) return named(covered);
  return hosts.filter((host) => isAny || covered.some((pattern) => covers(pattern, host)));
}

/** A wildcard covers one label. */
const covers = (pattern: string, host: string): boolean =>
  pattern === host || (pattern.startsWith("*.") && host.slice(host.indexOf(".")) === pattern.slice(1));

function serviceUrls({ metadata = {}, spec = {} }: DiscoveredObject): string[] {
  if (spec.type === "ExternalName") return [];
  const host = `${metadata.name}.${metadata.namespace}.svc`;
  return (spec.ports ?? [])
    .filter(({ name, appProtocol, port }) => port === 443 || name === "https" || appProtocol === "https")
    .map(({ port }) => new URL(`https://${host}:${port}/`).href);
}
