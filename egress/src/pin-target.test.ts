import { describe, expect, test } from "vitest";
import { parseEgressAllow } from "./allowance.ts";
import { pinTarget } from "./pins.ts";
import { createEgressPolicy } from "./policy.ts";

const HOSTS: Record<string, string[]> = {
  "api.example.com": ["8.8.8.8", "2001:4860:4860::8888"],
  "docs.example.com": ["8.8.4.4"],
  "inner.example.com": ["10.0.0.5"],
  "many.example.com": Array.from({ length: 20 }, (_, index) => `8.8.8.${index}`),
};
const lookup = async (host: string) => HOSTS[host] ?? Promise.reject(new Error("no such host"));
const pinsOf = ([target, spec]: [string, string?], allow = "") =>
  pinTarget(
    { target: new URL(target), spec: spec === undefined ? undefined : new URL(spec) },
    { policy: createEgressPolicy({ allow: parseEgressAllow(allow) }), lookup },
  );

describe("the pins of a target", () => {
  test("a target on port 443 is pinned to its addresses, with plain HTTP beside it", async () => {
    expect(await pinsOf(["https://api.example.com/v1"])).toEqual({
      ok: true,
      pins: [{ host: "api.example.com", addresses: ["8.8.8.8", "2001:4860:4860::8888"], ports: [443, 80] }],
    });
  });

  test("a target on another port is pinned to that port alone", async () => {
    expect(await pinsOf(["https://[2001:4860:4860::8844]:8443/"])).toEqual({
      ok: true,
      pins: [{ host: "2001:4860:4860::8844", addresses: ["2001:4860:4860::8844"], ports: [8443] }],
    });
  });

  test("a private target that is allowed on 443 only is not asked for plain HTTP", async () => {
    expect(await pinsOf(["https://inner.example.com/"], "inner.example.com:443")).toEqual({
      ok: true,
      pins: [{ host: "inner.example.com", addresses: ["10.0.0.5"], ports: [443] }],
    });
  });

  test("a document on another port of the target's host adds that port", async () => {
    expect(await pinsOf(["https://docs.example.com", "https://docs.example.com:8443/a"])).toEqual({
      ok: true,
      pins: [{ host: "docs.example.com", addresses: ["8.8.4.4"], ports: [443, 80, 8443] }],
    });
  });

  test("a document on another host adds a pin", async () => {
    expect(await pinsOf(["https://docs.example.com:444", "https://api.example.com:445/b"])).toEqual({
      ok: true,
      pins: [
        { host: "docs.example.com", addresses: ["8.8.4.4"], ports: [444] },
        { host: "api.example.com", addresses: ["8.8.8.8", "2001:4860:4860::8888"], ports: [445] },
      ],
    });
  });

  test.each([
    ["a private target", "https://inner.example.com", "egress_refused"],
    ["an unknown target", "https://unknown.example.com", "name_not_resolved"],
  ])("%s has none", async (_kind, url, code) => {
    expect(await pinsOf([url])).toMatchObject({ ok: false, code });
  });

  test("a host with more addresses than a scan is pinned to says how many were left out", async () => {
    expect(await pinsOf(["https://many.example.com:444"])).toEqual({
      ok: true,
      pins: [
        {
          host: "many.example.com",
          addresses: HOSTS["many.example.com"]!.slice(0, 16),
          ports: [444],
          omitted: 4,
        },
      ],
    });
  });

  test.each([
    ["a private", "https://127.0.0.1/spec"],
    ["an unknown", "https://unknown.example.com/spec"],
  ])("%s host of the document gets no pin, and the scan goes on", async (_kind, spec) => {
    expect(await pinsOf(["https://docs.example.com:444", spec])).toEqual({
      ok: true,
      pins: [{ host: "docs.example.com", addresses: ["8.8.4.4"], ports: [444] }],
    });
  });
});
