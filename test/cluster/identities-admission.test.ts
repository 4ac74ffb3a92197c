import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyChartRoles, type ChartRoles } from "./support/chart-roles.ts";
import { applyDefinitions } from "./support/fixture.ts";
import { apply, createNamespace, getJson, kubectl } from "./support/kubectl.ts";
import { until } from "./support/until.ts";

// What the roles and the admission policies of the chart permit, asked of the API server as the service accounts. Nothing is created:
// `--dry-run=server` goes through admission.

const namespace = `glovebox-test-${randomBytes(4).toString("hex")}`;
const NAME = "scan-01kahr5zn8v3mwf2c7d9e4x6bq";
let roles: ChartRoles;
beforeAll(async () => {
  await applyDefinitions();
  await createNamespace(namespace);
  roles = await applyChartRoles({ namespace });
  // Policies take effect a moment after they were created.
  await until(
    "the admission policies",
    async () => (await verdictOf("api", secret({ type: "example.com/other" }))) !== "permitted",
  );
});
afterAll(async () => {
  await roles?.remove();
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
});

type Account = "api" | "controller";
type Fields = Record<string, unknown>;

const owner = { apiVersion: "glovebox.dev/v1alpha1", kind: "Scan", name: NAME, uid: "1" };
function secret({ metadata = {}, ...over }: Fields = {}): Fields {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: `${NAME}-identities`,
      namespace,
      labels: { "app.kubernetes.io/managed-by": "glovebox-api" },
      ownerReferences: [owner],
      ...(metadata as object),
    },
    type: "Opaque",
    immutable: true,
    stringData: { "identities.yaml": "identities: []" },
    ...over,
  };
}

const identities = { secretName: "s", items: [{ key: "identities.yaml", path: "identities.yaml" }] };
const job = (pod: Fields, container: Fields = {}): Fields => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "scan", namespace },
  spec: {
    template: {
      spec: { restartPolicy: "Never", containers: [{ name: "scanner", image: "a", ...container }], ...pod },
    },
  },
});

/** "permitted", or the message of the API server. */
async function verdictOf(account: Account, object: Fields): Promise<string> {
  const args = ["create", "--dry-run=server", "--as", roles.users[account], "-f", "-"];
  return kubectl(args, JSON.stringify(object)).then(
    () => "permitted",
    (error: Error) => error.message,
  );
}

const mayI = async (account: Account, ...what: readonly string[]): Promise<string> =>
  kubectl(["auth", "can-i", "--as", roles.users[account], ...what]).then(
    (answer) => answer.trim(),
    () => "no",
  );

test.each<[Account, string, string]>([
  ["api", "create", "yes"],
  ["controller", "delete", "yes"],
  ...["get", "list", "watch", "update", "patch", "delete", "deletecollection"].map(
    (verb): [Account, string, string] => ["api", verb, "no"],
  ),
  ...["get", "list", "watch", "update", "patch", "create", "deletecollection"].map(
    (verb): [Account, string, string] => ["controller", verb, "no"],
  ),
])("the %s may %s Secrets of the scan namespace: %s", async (account, verb, expected) => {
  expect(await mayI(account, verb, "secrets", "-n", namespace)).toBe(expected);
  expect(await mayI(account, verb, "secrets", "-n", "default")).toBe("no");
});

describe("the API", () => {
  test("creates the Secret of a scan's identities", async () => {
    expect(await verdictOf("api", secret())).toBe("permitted");
  });

  test.each<[string, Fields, string]>([
    ["without its label", { metadata: { labels: {} } }, "is not one of the API"],
    ["without an owner", { metadata: { ownerReferences: [] } }, "is not that of the identities of one Scan"],
    [
      "of another owner",
      { metadata: { ownerReferences: [{ ...owner, apiVersion: "v1", kind: "ConfigMap" }] } },
      "is not that of the identities of one Scan",
    ],
    ["of another name", { metadata: { name: "database" } }, "is not that of the identities of one Scan"],
    ["with another key", { stringData: { "identities.yaml": "", token: "" } }, "key identities.yaml alone"],
    ["that can be changed", { immutable: false }, "must be immutable"],
    [
      "of a type that Kubernetes acts on",
      {
        type: "kubernetes.io/service-account-token",
        metadata: { annotations: { "kubernetes.io/service-account.name": "default" } },
      },
      "must be immutable and have the key",
    ],
  ])("creates no Secret %s", async (_, over, message) => {
    expect(await verdictOf("api", secret(over))).toContain(message);
  });
});

describe("the controller", () => {
  test("deletes no Secret but those of the API", async () => {
    const other = { apiVersion: "v1", kind: "Secret", metadata: { name: "database", namespace } };
    await kubectl(["create", "-f", "-"], JSON.stringify(other));
    const as = ["--as", roles.users.controller, "-n", namespace, "--dry-run=server"];
    await expect(kubectl(["delete", "secret", "database", ...as])).rejects.toThrow("is not one of the API");
    const { apiVersion, kind } = owner;
    const scan = {
      apiVersion,
      kind,
      metadata: { name: NAME, namespace },
      spec: { url: "https://a.example" },
    };
    await apply(scan);
    const { metadata } = await getJson<{ metadata: { uid: string } }>(
      "scans.glovebox.dev",
      NAME,
      "-n",
      namespace,
    );
    // Kubernetes would delete one without its owner.
    const owned = secret({ metadata: { ownerReferences: [{ ...owner, uid: metadata.uid }] } });
    await kubectl(["create", "-f", "-"], JSON.stringify(owned));
    expect(await kubectl(["delete", "secret", `${NAME}-identities`, ...as])).toContain("deleted");
  });

  test.each<[string, Fields]>([
    ["no Secret", job({})],
    ["the identities of a Secret", job({ volumes: [{ name: "identities", secret: identities }] })],
    ["a ConfigMap", job({ volumes: [{ name: "extra-ca", configMap: { name: "ca" } }] })],
  ])("creates a Job with %s", async (_, object) => {
    expect(await verdictOf("controller", object)).toBe("permitted");
  });

  const env = (name: string): Fields => ({ name, valueFrom: { secretKeyRef: { name: "s", key: "k" } } });
  test.each<[string, Fields, string]>([
    ["all keys of a Secret", job({ volumes: [{ name: "a", secret: { secretName: "s" } }] }), "mounts no key"],
    [
      "another key of a Secret",
      job({ volumes: [{ name: "a", secret: { secretName: "s", items: [{ key: "k", path: "k" }] } }] }),
      "mounts no key",
    ],
    [
      "a projected Secret",
      job({ volumes: [{ name: "a", projected: { sources: [{ secret: { name: "s" } }] } }] }),
      "projects no Secret",
    ],
    ["a Secret in its environment", job({}, { env: [env("A")] }), "no Secret in its environment"],
    ["a Secret as its environment", job({}, { envFrom: [{ secretRef: { name: "s" } }] }), "no Secret in its"],
    [
      "a Secret in the environment of an init container",
      job({ initContainers: [{ name: "i", image: "a", env: [env("A")] }] }),
      "no Secret in its environment",
    ],
  ])("creates no Job with %s", async (_, object, message) => {
    expect(await verdictOf("controller", object)).toContain(message);
  });
});
