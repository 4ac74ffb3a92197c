import { parseAccountsFile } from "@glovebox/api";
import { hashApiKey, isApiKey } from "@glovebox/store";
import { parseIdentityKeys } from "@glovebox/store/identity-keys";
import { expect, test } from "vitest";
import { EVALUATION, decode, find, render } from "./helm.ts";

test("every evaluation gets a different, valid first key", () => {
  const keys = Array.from({ length: 8 }, () =>
    decode(find(render(EVALUATION), "Secret", "glovebox-first-key"), "key"),
  );
  expect(keys.filter(isApiKey)).toEqual(keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test("the accounts file of an evaluation contains the hash of the first key", () => {
  const manifests = render({ ...EVALUATION, embedded: { firstKey: { plan: "enterprise" } } });
  const key = decode(find(manifests, "Secret", "glovebox-first-key"), "key");
  const file = find(manifests, "Secret", "glovebox-accounts")["stringData"]["accounts.yaml"];
  expect(parseAccountsFile(file)).toEqual({
    accounts: [{ name: "default", plan: "enterprise", keys: [{ name: "first", sha256: hashApiKey(key) }] }],
  });
});

test("an evaluation with its own accounts gets no first key", () => {
  const manifests = render({ ...EVALUATION, accounts: { existingSecret: "mine" } });
  const secrets = manifests.filter(({ kind }) => kind === "Secret").map(({ metadata }) => metadata.name);
  expect(secrets).toEqual(["glovebox-postgres", "glovebox-redis", "glovebox-identity-keys"]);
});

test("every evaluation gets a different key for identities, which its API mounts and can use", () => {
  const keys = [0, 1].map(() => {
    const manifests = render(EVALUATION);
    const { containers, volumes } = find(manifests, "Deployment", "glovebox-api")["spec"].template.spec;
    const { secret } = volumes.find(({ name }: { name: string }) => name === "identities");
    expect(secret).toMatchObject({
      secretName: "glovebox-identity-keys",
      items: [{ key: "keys", path: "keys" }],
    });
    const variable = { name: "GLOVEBOX_IDENTITY_KEY_FILE", value: "/etc/glovebox/identities/keys" };
    expect(containers[0].env).toContainEqual(variable);
    const { rules } = find(manifests, "Role", "glovebox-api");
    expect(rules).toContainEqual({ apiGroups: [""], resources: ["secrets"], verbs: ["create"] });
    return decode(find(manifests, "Secret", "glovebox-identity-keys"), "keys");
  });
  const prefixes = keys.map((text) => parseIdentityKeys(text).prefix);
  expect(new Set(prefixes).size).toBe(2);
});

test("an evaluation with its own Secret for identities gets no other key", () => {
  const manifests = render({ ...EVALUATION, identities: { existingSecret: "mine" } });
  expect(manifests.filter(({ metadata }) => metadata.name === "glovebox-identity-keys")).toEqual([]);
  const { volumes } = find(manifests, "Deployment", "glovebox-api")["spec"].template.spec;
  const { secret } = volumes.find(({ name }: { name: string }) => name === "identities");
  expect(secret).toMatchObject({ secretName: "mine", items: [{ key: "keys" }] });
});

test.each([
  ["postgres", { url: "postgres://u:p@db.example.com/glovebox" }, "glovebox-redis"],
  ["redis", { existingSecret: "cache" }, "glovebox-postgres"],
])("an evaluation with an external %s installs only the other database", (name, given, other) => {
  const values = { ...EVALUATION, [name]: given };
  const manifests = render(values);
  const installed = manifests.filter(
    ({ kind, metadata }) => kind === "Deployment" && metadata.annotations?.["glovebox.dev/evaluation"],
  );
  expect(installed.map(({ metadata }) => metadata.name)).toEqual([other]);
  const isMigratedByHook = manifests.some(({ metadata }) => metadata.name === "glovebox-migrate");
  expect(isMigratedByHook).toBe(name === "postgres");
  find(manifests, "Secret", "glovebox-first-key");
});

test("PostgreSQL and Redis have the passwords of their URLs", () => {
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

test("the databases of an evaluation are annotated as not for production", () => {
  const manifests = render(EVALUATION);
  for (const name of ["glovebox-postgres", "glovebox-redis"])
    expect(find(manifests, "Deployment", name)["metadata"].annotations["glovebox.dev/evaluation"]).toContain(
      "Not for production",
    );
});
