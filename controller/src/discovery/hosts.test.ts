import { expect, test } from "vitest";
import { addressesOf, type DiscoveredKind, type DiscoveredObject } from "./hosts.ts";

const named = (spec: DiscoveredObject["spec"] = {}): DiscoveredObject => ({
  metadata: { name: "shop", namespace: "team-a" },
  spec,
});
const rules = (...hosts: string[]) => hosts.map((host) => ({ host }));

test.each<[string, DiscoveredKind, DiscoveredObject["spec"], string[]]>([
  [
    "an Ingress: the hosts that its certificates are for",
    "Ingress",
    { rules: rules("a.example", "b.example"), tls: [{ hosts: ["a.example"] }] },
    ["https://a.example/"],
  ],
  [
    "an Ingress with a wildcard certificate: hosts one label below",
    "Ingress",
    {
      rules: rules("a.shop.example", "a.b.shop.example", "shop.example"),
      tls: [{ hosts: ["*.shop.example"] }],
    },
    ["https://a.shop.example/"],
  ],
  [
    "an Ingress with the certificate of its controller: all hosts",
    "Ingress",
    { rules: rules("a.example"), tls: [{}] },
    ["https://a.example/"],
  ],
  [
    "an Ingress without rules: the hosts of its certificates",
    "Ingress",
    { tls: [{ hosts: ["a.example"] }] },
    ["https://a.example/"],
  ],
  ["an Ingress without TLS: none", "Ingress", { rules: rules("a.example") }, []],
  ["an Ingress for any host: none", "Ingress", { rules: [{}, ...rules("*.example")], tls: [{}] }, []],
  [
    "two rules of one host: the host once",
    "Ingress",
    { rules: rules("a.example", "a.example"), tls: [{}] },
    ["https://a.example/"],
  ],
  [
    "an HTTPRoute: its hostnames without wildcards",
    "HTTPRoute",
    { hostnames: ["a.example", "*.example"] },
    ["https://a.example/"],
  ],
  ["an HTTPRoute of all hosts of its gateway: none", "HTTPRoute", {}, []],
  [
    "a Service: its ports for HTTPS",
    "Service",
    {
      ports: [
        { port: 80, name: "http" },
        { port: 443 },
        { port: 8443, name: "https" },
        { port: 9443, appProtocol: "https" },
      ],
    },
    ["https://shop.team-a.svc/", "https://shop.team-a.svc:8443/", "https://shop.team-a.svc:9443/"],
  ],
  [
    "a Service that is a name elsewhere: none",
    "Service",
    { type: "ExternalName", ports: [{ port: 443 }] },
    [],
  ],
  ["a Service without ports: none", "Service", {}, []],
])("%s", (_, kind, spec, urls) => {
  expect(addressesOf(kind, named(spec))).toEqual(urls);
});
