import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { KUBERNETES_SETTINGS } from "@glovebox/api/settings";
import { readSettings } from "@glovebox/settings";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../standalone/command.ts";
import { EVALUATION, EXTERNAL, type Manifest, containersOf, decode, find, render } from "./helm.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** The environment of the API's pod, with the values of Secrets, and the keys for identities in a file here. */
function environmentOf(manifests: readonly Manifest[]): Record<string, string> {
  const [container] = find(manifests, "Deployment", "glovebox-api")["spec"].template.spec.containers;
  const entries = container.env.map(({ name, value, valueFrom }: Manifest) => {
    if (name === "GLOVEBOX_IDENTITY_KEY_FILE") {
      const file = join(folder.path, "keys");
      writeFileSync(file, decode(find(manifests, "Secret", "glovebox-identity-keys"), "keys"));
      return [name, file];
    }
    if (value !== undefined) return [name, value];
    const { name: secret, key } = valueFrom.secretKeyRef;
    return [name, decode(find(manifests, "Secret", secret), key)];
  });
  return Object.fromEntries(entries);
}

test("the settings of the API accept every variable that the chart sets for an evaluation", () => {
  const { settings, warnings } = readSettings(KUBERNETES_SETTINGS, environmentOf(render(EVALUATION)));
  expect(warnings).toEqual([]);
  expect(settings).toMatchObject({ host: "0.0.0.0", port: 8080, namespace: "glovebox-scans" });
  expect(settings.databaseUrl).toMatch(/^postgres:\/\/glovebox:\w{32}@glovebox-postgres:5432\/glovebox$/);
  expect(settings.redisUrl).toMatch(/^redis:\/\/:\w{32}@glovebox-redis:6379$/);
  expect(settings.identityKeys).toBeDefined();
});

test("values of the chart become settings of the API", () => {
  const manifests = render({
    evaluation: true,
    scanNamespace: { name: "sealed" },
    scanner: { egress: { allow: ["10.1.0.0/16", "fd00::/8"] } },
    api: { waitSeconds: 0, trustProxy: 2, logLevel: "warn", listen: "::" },
    retention: { days: "free=30,enterprise=3650", usageDays: 62, auditDays: 30 },
  });
  const { settings, warnings } = readSettings(KUBERNETES_SETTINGS, environmentOf(manifests));
  expect(warnings).toEqual([]);
  expect(settings).toMatchObject({
    host: "::",
    namespace: "sealed",
    waitSeconds: 0,
    trustProxy: 2,
    logLevel: "warn",
    retentionDays: { free: 30, starter: 90, pro: 90, enterprise: 3650 },
    usageRetentionDays: 62,
    auditRetentionDays: 30,
    accountsFile: "/etc/glovebox/accounts/accounts.yaml",
  });
  expect(environmentOf(manifests)["GLOVEBOX_EGRESS_ALLOW"]).toBe("10.1.0.0/16,fd00::/8");
});

test("with a public URL users can sign in, and a Secret has the token of the first administrator", () => {
  const manifests = render({
    ...EVALUATION,
    api: { publicUrl: "https://glovebox.example.com", signIn: "oidc-only" },
  });
  const { settings, warnings } = readSettings(KUBERNETES_SETTINGS, environmentOf(manifests));
  expect(warnings).toEqual([]);
  expect(settings).toMatchObject({ publicUrl: new URL("https://glovebox.example.com"), signIn: "oidc-only" });
  expect(settings.firstAdministratorToken).toMatch(/^\w{43}$/);
  const names = render(EVALUATION).map(({ metadata }) => metadata.name);
  expect(names).not.toContain("glovebox-first-administrator");
});

test("webhooks are off, and the API may reach no receiver, unless a value enables them", () => {
  const egressOf = (webhooks: object) => {
    const manifests = render({ ...EXTERNAL, webhooks });
    const ports443 = find(manifests, "NetworkPolicy", "glovebox-api")["spec"].egress.filter(
      ({ ports }: Manifest) => ports.length === 1 && ports[0].port === 443,
    );
    const [container] = find(manifests, "Deployment", "glovebox-api")["spec"].template.spec.containers;
    const { value } = container.env.find(({ name }: Manifest) => name === "GLOVEBOX_WEBHOOKS");
    return [value, ports443.map(({ to }: Manifest) => to)];
  };
  expect(egressOf({})).toEqual(["off", []]);
  const inside = [{ ipBlock: { cidr: "10.2.0.0/16" } }];
  expect(egressOf({ enabled: true, to: inside })).toEqual(["on", [inside]]);
  const [, [everywhere]] = egressOf({ enabled: true });
  const [v4, v6] = everywhere as { ipBlock: { cidr: string; except: string[] } }[];
  expect(v4!.ipBlock.except).toEqual(expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16"]));
  expect(v6!.ipBlock.except).toEqual(expect.arrayContaining(["fc00::/7", "fe80::/10"]));
});

test("trusted proxies are a number or addresses", () => {
  const given = (trustProxy: number | string[]) =>
    environmentOf(render({ evaluation: true, api: { trustProxy } }))["GLOVEBOX_TRUST_PROXY"];
  expect(given(3)).toBe("3");
  expect(given(["10.0.0.0/8", "fd00::1"])).toBe("10.0.0.0/8,fd00::1");
});

test("the accounts file is mounted at the path that the API reads", () => {
  const { volumes, containers } = find(
    render({ ...EXTERNAL, accounts: { existingSecret: "mine", existingSecretKey: "plans.yml" } }),
    "Deployment",
    "glovebox-api",
  )["spec"].template.spec;
  const { secret } = volumes.find(({ name }: { name: string }) => name === "accounts");
  expect(secret).toMatchObject({ secretName: "mine", items: [{ key: "plans.yml", path: "accounts.yaml" }] });
  expect(containers[0].volumeMounts).toContainEqual({
    name: "accounts",
    mountPath: "/etc/glovebox/accounts",
    readOnly: true,
  });
});

test("the keys of identities are mounted at the path that the API reads, where a Secret has them", () => {
  const podOf = (values: Manifest) =>
    find(render({ ...EXTERNAL, ...values }), "Deployment", "glovebox-api")["spec"].template.spec;
  const { volumes, containers } = podOf({
    identities: { existingSecret: "mine", existingSecretKey: "ring" },
  });
  const { secret } = volumes.find(({ name }: { name: string }) => name === "identities");
  expect(secret).toMatchObject({ secretName: "mine", items: [{ key: "ring", path: "keys" }] });
  const mount = { name: "identities", mountPath: "/etc/glovebox/identities", readOnly: true };
  expect(containers[0].volumeMounts).toContainEqual(mount);
  const variable = { name: "GLOVEBOX_IDENTITY_KEY_FILE", value: "/etc/glovebox/identities/keys" };
  expect(containers[0].env).toContainEqual(variable);
  expect(JSON.stringify(podOf({}))).not.toMatch(/identit/i);
});

test("the API migrates the PostgreSQL of an evaluation; for other databases there is a hook", () => {
  const migrates = (values: Manifest) =>
    containersOf(find(render(values), "Deployment", "glovebox-api")["spec"].template.spec).flatMap(
      ({ env }) => env.filter(({ name }: { name: string }) => name === "GLOVEBOX_MIGRATE"),
    );
  expect(migrates(EVALUATION)).toEqual([{ name: "GLOVEBOX_MIGRATE", value: "auto" }]);
  expect(migrates({ ...EVALUATION, ...EXTERNAL })).toEqual([]);
  expect(migrates(EXTERNAL)).toEqual([]);
  const job = find(render(EXTERNAL), "Job", "glovebox-migrate");
  expect(job["metadata"].annotations["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
  expect(job["spec"].template.spec.containers[0].args).toEqual(["migrate"]);
});

describe("the Deployments are restarted by a change of", () => {
  const URLS = {
    postgres: { url: "postgres://u:one@db.example.com/glovebox" },
    redis: { url: "rediss://one.example.com" },
    accounts: { existingSecret: "one" },
    identities: { existingSecret: "one" },
  };
  const checksums = (values: Manifest) => {
    const manifests = render(values);
    return ["glovebox-api", "glovebox-controller"].map(
      (name) =>
        find(manifests, "Deployment", name)["spec"].template.metadata.annotations[
          "checksum/secrets"
        ] as string,
    );
  };
  const before = checksums(URLS);
  const restarted = (values: Manifest): boolean[] =>
    checksums(values).map((checksum, deployment) => checksum !== before[deployment]);

  test.each<[string, Manifest, [api: boolean, controller: boolean]]>([
    [
      "the URL of PostgreSQL",
      { postgres: { url: "postgres://u:two@db.example.com/glovebox" } },
      [true, true],
    ],
    ["the Secret that holds it", { postgres: { existingSecret: "database" } }, [true, true]],
    ["the URL of Redis", { redis: { url: "rediss://two.example.com" } }, [true, false]],
    ["the Secret of the accounts", { accounts: { existingSecret: "two" } }, [true, false]],
    ["the Secret of the identities' keys", { identities: { existingSecret: "two" } }, [true, false]],
    ["nothing that is secret", { api: { waitSeconds: 30 } }, [false, false]],
  ])("%s", (_, change, expected) => {
    expect(restarted({ ...URLS, ...change })).toEqual(expected);
  });

  test("the plan of the first key, or the PostgreSQL of an evaluation", () => {
    const [api, controller] = checksums(EVALUATION);
    const [planned] = checksums({ ...EVALUATION, embedded: { firstKey: { plan: "enterprise" } } });
    const given = checksums({ ...EVALUATION, postgres: URLS.postgres });
    expect(checksums(EVALUATION)).toEqual([api, controller]);
    expect(planned).not.toBe(api);
    expect(given[0]).not.toBe(api);
    expect(given[1]).not.toBe(controller);
  });
});
