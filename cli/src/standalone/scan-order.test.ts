import { scanOrderSchema, type IdentitiesFile, type Identity } from "@glovebox/contract";
import { createEgressPolicy, parseEgressAllow } from "@glovebox/egress";
import { IdentitiesUnreadable } from "@glovebox/store";
import { describe, expect, test } from "vitest";
import { scanOrderFor } from "./scan-order.ts";

const DEMO = { origin: "https://127.0.0.1:8443", caPem: "demo authority\n" };
const CLAIM = { id: "scan-01kahr5zn8v3mwf2c7d9e4x6bq", specUrl: null, context: null, identityNames: null };

const NONE = { ofScan: () => Promise.reject(new Error("Identities are not read of a scan without")) };
const ALICE: Identity = { name: "alice", role: "user", headers: { Authorization: "Bearer s3cret" } };

const decide = (
  url: string,
  { extraCa, addresses = ["8.8.8.8"] }: { extraCa?: string; addresses?: string[] },
) =>
  scanOrderFor(
    { ...CLAIM, url },
    {
      policy: createEgressPolicy({ allow: parseEgressAllow("127.0.0.1:8443") }),
      lookup: async () => addresses,
      extraCa,
      demo: DEMO,
      allow: parseEgressAllow("10.0.0.0/8"),
      identities: NONE,
    },
  );

async function orderOf(url: string, given: { extraCa?: string; addresses?: string[] } = {}) {
  const decided = await decide(url, given);
  if ("failure" in decided) throw new Error(decided.failure.message);
  return scanOrderSchema.parse(decided.order);
}

describe("the order of a submitted scan", () => {
  test.each([
    ["the demo target trusts its authority", "https://127.0.0.1:8443/v2", undefined, "demo authority\n"],
    [
      "the demo target trusts the operator's authorities too",
      "https://127.0.0.1:8443/",
      "ours\n",
      "ours\ndemo authority\n",
    ],
    ["any other target trusts the operator's alone", "https://api.example.com/", "ours\n", "ours\n"],
    [
      "any other target trusts nothing more than by default",
      "https://api.example.com/",
      undefined,
      undefined,
    ],
  ])("a scan of %s", async (_sentence, url, extraCa, expected) => {
    expect((await orderOf(url, extraCa === undefined ? {} : { extraCa })).extraCa).toBe(expected);
  });

  test("a private address that is not the demo target is a failure and not an order", async () => {
    await expect(orderOf("https://127.0.0.1:8444/")).rejects.toThrow(/refused/);
  });

  test.each([
    ["a private target", "https://127.0.0.1", "egress_refused"],
    ["an unknown target", "https://unknown.example.com", "name_not_resolved"],
    ["a public target over plain HTTP", "http://8.8.8.8/", "egress_refused"],
  ])("%s fails the scan", async (_kind, url, code) => {
    expect(await decide(url, { addresses: [] })).toMatchObject({ failure: { code } });
  });

  test("the pins of a host with very many addresses are such as an order takes", async () => {
    const many = Array.from({ length: 200 }, (_, index) => `8.8.8.${index}`);
    const { pins } = await orderOf("https://many.example.com", { addresses: many });
    expect(pins).toMatchObject([{ omitted: 184 }]);
  });
});

describe("a scan that was submitted with identities", () => {
  const decideWith = (ofScan: (id: string) => Promise<IdentitiesFile | undefined>) =>
    scanOrderFor(
      {
        ...CLAIM,
        url: "https://api.example.com/",
        identityNames: ["alice"],
        include: ["/orders/**"],
        exclude: ["DELETE"],
      },
      {
        ...{
          policy: createEgressPolicy(),
          lookup: async () => ["8.8.8.8"],
          extraCa: undefined,
          demo: undefined,
          allow: [],
        },
        identities: { ofScan },
      },
    );

  test("a scan that was submitted with identities has them and its filters in its order", async () => {
    const file = { identities: [ALICE], expectations: [{ role: "user" as const, deny: ["/admin/**"] }] };
    expect(await decideWith(async (id) => (id === CLAIM.id ? file : undefined))).toMatchObject({
      order: { ...file, include: ["/orders/**"], exclude: ["DELETE"] },
    });
  });

  test.each<[string, () => Promise<undefined>]>([
    ["they cannot be decrypted", () => Promise.reject(new IdentitiesUnreadable("no key"))],
    ["they are missing", async () => undefined],
  ])("fails when %s, and never runs without them", async (_, ofScan) => {
    expect(await decideWith(ofScan)).toEqual({
      failure: {
        code: "could_not_start",
        message: "The scanner could not be started. Its identities cannot be decrypted.",
      },
    });
  });

  test("waits for a database that is away", async () => {
    await expect(decideWith(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  });
});
