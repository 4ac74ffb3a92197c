import { parseEgressAllow } from "@glovebox/egress";
import { describe, expect, test } from "vitest";
import { resolveTarget } from "./queries.ts";

const HOSTS: Record<string, string[]> = {
  "api.example.com": ["8.8.8.8", "2001:4860:4860::8888"],
  "docs.example.com": ["8.8.4.4"],
  "inner.example.com": ["10.0.0.5"],
  ...Object.fromEntries(
    ["shop", "empty", "node", "api-server", "metadata", "plain"].map((name) => [
      `${name}.team.svc`,
      ["10.96.0.7"],
    ]),
  ),
  "headless.team.svc": ["10.1.0.5"],
};
const serviceIn = (address: string, port = 8443) => ({
  service: { spec: { clusterIPs: ["10.96.0.7"], ports: [{ name: "https", port: 443 }] } },
  slices: { items: [{ ports: [{ name: "https", port }], endpoints: [{ addresses: [address] }] }] },
});
const SERVICES: Record<string, ReturnType<typeof serviceIn>> = {
  "shop.team.svc": serviceIn("10.1.0.5"),
  "plain.team.svc": {
    service: { spec: { clusterIPs: ["10.96.0.7"], ports: [{ name: "http", port: 80 }] } },
    slices: { items: [{ ports: [{ name: "http", port: 8080 }], endpoints: [{ addresses: ["10.1.0.5"] }] }] },
  },
  "empty.team.svc": { ...serviceIn(""), slices: { items: [] } },
  "node.team.svc": serviceIn("10.0.0.1", 10_250),
  "api-server.team.svc": serviceIn("10.0.0.2", 6443),
  "metadata.team.svc": serviceIn("169.254.169.254", 80),
  "headless.team.svc": { ...serviceIn("10.1.0.5"), service: { spec: { clusterIPs: ["None"], ports: [] } } },
};
const lookup = async (host: string) => HOSTS[host] ?? Promise.reject(new Error("no such host"));
const resolve = (
  url: string,
  specUrl?: string,
  { allow = "", deny = [] as string[], controlPlane = [] as string[] } = {},
) =>
  resolveTarget(
    { url, specUrl },
    {
      ...{ allow: parseEgressAllow(allow), deny: () => deny, controlPlane: () => controlPlane, lookup },
      nodes: () => ["10.0.0.1"],
      readService: async (host) => SERVICES[host],
    },
  );

describe("the target of a scan", () => {
  test("the target of a scan is pinned to all its addresses on its port, with plain HTTP beside 443", async () => {
    expect(await resolve("https://api.example.com/v1")).toEqual({
      ok: true,
      pins: [{ host: "api.example.com", addresses: ["8.8.8.8", "2001:4860:4860::8888"], ports: [443, 80] }],
    });
  });

  test("the target of a scan that is an IPv6 address is pinned without its brackets", async () => {
    expect(await resolve("https://[2001:4860:4860::8844]:8443/")).toMatchObject({
      pins: [{ host: "2001:4860:4860::8844", addresses: ["2001:4860:4860::8844"], ports: [8443] }],
    });
  });

  test.each<[string, string, { allow?: string; deny?: string[]; controlPlane?: string[] }, string]>([
    [
      "at the address of an API server, with any allowed range,",
      "https://docs.example.com:6443",
      { allow: "8.0.0.0/8", controlPlane: ["8.8.4.4"] },
      "egress_refused",
    ],
    ["unknown", "https://unknown.example.com", {}, "name_not_resolved"],
    ["private", "https://inner.example.com", {}, "egress_refused"],
    [
      "of the cluster's own ranges, even public ones,",
      "https://docs.example.com",
      { deny: ["8.8.4.0/24"] },
      "egress_refused",
    ],
  ])("the target of a scan that is %s fails the scan", async (_, url, rules, code) => {
    expect(await resolve(url, undefined, rules)).toMatchObject({ ok: false, failure: { code } });
  });

  test.each([
    ["http://inner.example.com:3000/", "10.0.0.0/8"],
    ["http://inner.example.com/", "inner.example.com:80"],
    ["http://plain.team.svc/", "plain.team.svc:80"],
  ])("a target over plain HTTP, %s, is pinned where %s is allowed", async (url, allow) => {
    expect(await resolve(url, undefined, { allow })).toMatchObject({
      ok: true,
      pins: [{ ports: [Number(new URL(url).port || 80)] }],
    });
  });

  test.each([
    ["http://api.example.com/", undefined, ""],
    ["http://docs.example.com/", undefined, "10.0.0.0/8"],
    ["http://inner.example.com:81/", undefined, "inner.example.com:80"],
    ["https://api.example.com/", "http://docs.example.com/openapi.json", ""],
  ])(
    "a target over plain HTTP, %s with the document %s, is refused where %j is allowed",
    async (url, specUrl, allow) => {
      expect(await resolve(url, specUrl, { allow })).toMatchObject({
        ok: false,
        failure: { code: "egress_refused" },
      });
    },
  );

  test("the target of a scan that is private and allowed on 443 alone is not asked for plain HTTP", async () => {
    const response = await resolve("https://inner.example.com", undefined, {
      allow: "inner.example.com:443",
    });
    expect(response).toMatchObject({ pins: [{ addresses: ["10.0.0.5"], ports: [443] }] });
  });
});

describe("a Service", () => {
  const scan = (name: string, allow = `${name}.team.svc:443`) =>
    resolve(`https://${name}.team.svc/`, undefined, { allow, controlPlane: ["10.0.0.2"] });
  const pin = { host: "shop.team.svc", addresses: ["10.96.0.7"], ports: [443] };

  test("a Service with a cluster IP is pinned with its ready endpoints, at their own port", async () => {
    const backends = [{ address: "10.1.0.5", port: 8443 }];
    expect(await scan("shop")).toEqual({ ok: true, pins: [{ ...pin, backends }] });
  });

  test("a Service without a cluster IP is pinned to the addresses of its pods alone", async () => {
    expect(await scan("headless")).toEqual({
      ok: true,
      pins: [{ host: "headless.team.svc", addresses: ["10.1.0.5"], ports: [443] }],
    });
  });

  test.each([
    ["empty", "connection_refused", /The Service empty.team.svc has no ready endpoint\.$/],
    [
      "node",
      "egress_refused",
      /An endpoint of the Service node.team.svc is refused: a node of the cluster\.$/,
    ],
    ["api-server", "egress_refused", /is refused: private\.$/],
    ["metadata", "egress_refused", /is refused: metadata/],
  ])("%s fails the scan with %s and the reason", async (name, code, message) => {
    const response = await scan(name);
    expect(response).toMatchObject({ ok: false, failure: { code, message: expect.stringMatching(message) } });
  });

  test("a Service that the operator does not allow is refused", async () => {
    expect(await scan("shop", "other.team.svc:443")).toMatchObject({ failure: { code: "egress_refused" } });
  });
});

describe("the document's host", () => {
  test.each<[string, string, object[]]>([
    ["that is the target's adds its port", "https://docs.example.com:8443/a", [{ ports: [443, 80, 8443] }]],
    [
      "that is another adds a pin",
      "https://api.example.com:445/b",
      [{}, { host: "api.example.com", ports: [445] }],
    ],
    ["that is refused gets no pin, and the scan goes on", "https://127.0.0.1/spec", [{}]],
    ["that is unknown gets no pin, and the scan goes on", "https://unknown.example.com/", [{}]],
  ])("%s", async (_, specUrl, pins) => {
    const response = await resolve("https://docs.example.com/", specUrl);
    expect(response).toMatchObject({ ok: true, pins });
  });
});
