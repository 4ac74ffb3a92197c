import { parseAccountsFile } from "@glovebox/api";
import { hashApiKey, isApiKey } from "@glovebox/contract";
import { expect, test } from "vitest";
import { EVALUATION, decode, find, render } from "./helm.ts";

test("Every evaluation gets a first key of its own, whose checksum is right", () => {
  const keys = Array.from({ length: 8 }, () =>
    decode(find(render(EVALUATION), "Secret", "glovebox-first-key"), "key"),
  );
  expect(keys.filter(isApiKey)).toEqual(keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test("The accounts file of an evaluation declares the first key by its hash", () => {
  const manifests = render({ ...EVALUATION, embedded: { firstKey: { plan: "enterprise" } } });
  const key = decode(find(manifests, "Secret", "glovebox-first-key"), "key");
  const file = find(manifests, "Secret", "glovebox-accounts")["stringData"]["accounts.yaml"];
  expect(parseAccountsFile(file)).toEqual({
    accounts: [{ name: "default", plan: "enterprise", keys: [{ name: "first", sha256: hashApiKey(key) }] }],
  });
});

test("An evaluation with accounts of its own gets no first key", () => {
  const manifests = render({ ...EVALUATION, accounts: { existingSecret: "mine" } });
  const secrets = manifests.filter(({ kind }) => kind === "Secret").map(({ metadata }) => metadata.name);
  expect(secrets).toEqual(["glovebox-postgres", "glovebox-redis"]);
});

test.each([
  ["postgres", { url: "postgres://u:p@db.example.com/glovebox" }, "glovebox-redis"],
  ["redis", { existingSecret: "cache" }, "glovebox-postgres"],
])("An evaluation that is given a %s brings only the other one", (name, given, other) => {
  const values = { ...EVALUATION, [name]: given };
  const manifests = render(values);
  const brought = manifests.filter(
    ({ kind, metadata }) => kind === "Deployment" && metadata.annotations?.["glovebox.dev/evaluation"],
  );
  expect(brought.map(({ metadata }) => metadata.name)).toEqual([other]);
  const isMigratedByHook = manifests.some(({ metadata }) => metadata.name === "glovebox-migrate");
  expect(isMigratedByHook).toBe(name === "postgres");
  find(manifests, "Secret", "glovebox-first-key");
});

test("PostgreSQL and Redis take the passwords that the URLs hold", () => {
  const manifests = render(EVALUATION);
  const postgres = find(manifests, "Secret", "glovebox-postgres");
  const password = decode(postgres, "password");
  expect(password).toMatch(/^[0-9A-Za-z]{32}$/);
  expect(decode(postgres, "url")).toBe(`postgres://glovebox:${password}@glovebox-postgres:5432/glovebox`);

  const redis = find(manifests, "Secret", "glovebox-redis");
  const secret = decode(redis, "password");
  expect(decode(redis, "redis.conf")).toContain(`requirepass ${secret}\n`);
  expect(decode(redis, "url")).toBe(`redis://:${secret}@glovebox-redis:6379`);
});

test("What an evaluation brings says that it is not for production", () => {
  const manifests = render(EVALUATION);
  for (const name of ["glovebox-postgres", "glovebox-redis"])
    expect(find(manifests, "Deployment", name)["metadata"].annotations["glovebox.dev/evaluation"]).toContain(
      "Not for production",
    );
});
