import { parseEgressAllow } from "@glovebox/egress";
import { describe, expect, test } from "vitest";
import { resolveTarget } from "./queries.ts";

const HOSTS: Record<string, string[]> = {
  "api.example.com": ["8.8.8.8", "2001:4860:4860::8888"],
  "docs.example.com": ["8.8.4.4"],
  "inner.example.com": ["10.0.0.5"],
};
const lookup = async (host: string) => HOSTS[host] ?? Promise.reject(new Error("no such host"));
const resolve = (
  url: string,
  specUrl?: string,
  { allow = "", deny = [] as string[], controlPlane = [] as string[] } = {},
) =>
  resolveTarget(
    { url, specUrl },
    { allow: parseEgressAllow(allow), deny: () => deny, controlPlane: () => controlPlane, lookup },
  );

describe("the target of a scan", () => {
  test("is pinned to all its addresses on its port, with plain HTTP beside 443", async () => {
    expect(await resolve("https://api.example.com/v1")).toEqual({
      ok: true,
      pins: [{ host: "api.example.com", addresses: ["8.8.8.8", "2001:4860:4860::8888"], ports: [443, 80] }],
    });
  });

  test("that is an IPv6 address is pinned without its brackets", async () => {
    expect(await resolve("https://[2001:4860:4860::8844]:8443/")).toMatchObject({
      pins: [{ host: "2001:4860:4860::8844", addresses: ["2001:4860:4860::8844"], ports: [8443] }],
    });
  });

  test.each<[string, string, { allow?: string; deny?: string[]; controlPlane?: string[] }, string]>([
    [
      "at the address of an API server, whatever range is allowed,",
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
  ])("that is %s fails the scan", async (_, url, rules, code) => {
    expect(await resolve(url, undefined, rules)).toMatchObject({ ok: false, failure: { code } });
  });

  test("that is private and allowed on 443 alone is not asked for plain HTTP", async () => {
    const answer = await resolve("https://inner.example.com", undefined, { allow: "inner.example.com:443" });
    expect(answer).toMatchObject({ pins: [{ addresses: ["10.0.0.5"], ports: [443] }] });
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
    const answer = await resolve("https://docs.example.com/", specUrl);
    expect(answer).toMatchObject({ ok: true, pins });
  });
});
