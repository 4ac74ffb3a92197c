import { readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { ANNOTATIONS, type ScanStatus } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCAN } from "./support/api.ts";
import { applyChartRoles, type ChartRoles } from "./support/chart-roles.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { apply, getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { applySchedule, soon } from "./support/schedules.ts";
import { scanPod } from "./support/scan-pod.ts";
import { until } from "./support/until.ts";

const EXAMPLE = fileURLToPath(new URL("../../k8s/examples/signed-in-scan.yaml", import.meta.url));
const SECRET = `s3cret-${randomBytes(9).toString("hex")}`;
const ALICE = `identities: [{name: alice, headers: {Authorization: Bearer ${SECRET}}}]`;

let fixture: Fixture;
let roles: ChartRoles;
const team = `glovebox-team-${randomBytes(4).toString("hex")}`;
beforeAll(async () => {
  // That of the example.
  fixture = await startFixture({ namespace: "glovebox-scans", server: "signed-in-server.mjs", delayMs: 30 });
  const annotations = { [ANNOTATIONS.account]: "default", [ANNOTATIONS.identities]: "for-team" };
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: team, annotations } });
  roles = await applyChartRoles({ namespace: fixture.namespace, team });
  await fixture.startController({ ...roles.settings, GLOVEBOX_SCAN_NAMESPACES: team });
});
afterAll(async () => {
  await fixture?.close();
  await roles?.remove();
  await kubectl(["delete", "namespace", team, "--wait=false"]);
});

const applySecret = (name: string, stringData: Readonly<Record<string, string>>) =>
  apply({ apiVersion: "v1", kind: "Secret", metadata: { name, namespace: fixture.namespace }, stringData });
const signedIn = (secret: string) => ({ ...SCAN, identitiesSecretRef: { name: secret } });
const statusIn = async (namespace: string, name: string): Promise<ScanStatus> =>
  (await getJson<{ status?: ScanStatus }>("scans.glovebox.dev", name, "-n", namespace)).status ?? {};
const endIn = (namespace: string, name: string) =>
  until(`the end of ${name}`, async () => {
    const status = await statusIn(namespace, name);
    return status.finishedAt !== undefined && status;
  });
const mountsOf = (pod: Awaited<ReturnType<typeof scanPod>>) =>
  (pod.spec.volumes as readonly { secret?: { secretName: string; items: object[] } }[]).flatMap(
    ({ secret }) => secret ?? [],
  );
const ONE_KEY = [{ key: "identities.yaml", path: "identities.yaml" }];

describe("the example Scan with identities, applied with kubectl", () => {
  beforeAll(async () => {
    const yaml = readFileSync(EXAMPLE, "utf8").replaceAll("CHANGE-ME", SECRET);
    await kubectl(["apply", "-f", "-"], yaml);
  });

  test("completes, signed in, and its Secret stays for other scans", async () => {
    expect(mountsOf(await scanPod(fixture.namespace))).toMatchObject([
      { secretName: "shop-identities", items: ONE_KEY },
    ]);
    expect(await fixture.finished("shop-signed-in")).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await fixture.target.requests()).toContainEqual(expect.stringMatching(/ \/v1\/orders signed-in$/));
    expect(await namesOf("secrets", fixture.namespace)).toContain("shop-identities");
    await fixture.cleanedUp();
  });
});

test("a Secret with other keys gives the pod none of them", async () => {
  await applySecret("mixed", { "identities.yaml": ALICE, password: "of-a-database" });
  await fixture.applyScan("mixed", signedIn("mixed"));
  const pod = await scanPod(fixture.namespace);
  expect(mountsOf(pod)).toMatchObject([{ secretName: "mixed", items: ONE_KEY }]);
  const list = `console.log(require("node:fs").readdirSync("/etc/glovebox/identities").filter((name) => name[0] !== ".").join())`;
  const command = [
    "exec",
    pod.metadata.name,
    "-n",
    fixture.namespace,
    "-c",
    "scanner",
    "--",
    "node",
    "--eval",
  ];
  expect((await kubectl([...command, list])).trim()).toBe("identities.yaml");
  await kubectl(["delete", "scans.glovebox.dev", "mixed", "-n", fixture.namespace]);
  await fixture.cleanedUp();
});

test("a Secret without the key keeps the pod from its start, and the status says which key", async () => {
  await applySecret("keyless", { "identities.yml": ALICE });
  await fixture.applyScan("keyless", signedIn("keyless"));
  const waiting = await until("the reason why the pod waits", async () => {
    const status = await fixture.statusOf("keyless");
    return status.reason === "VolumeNotMounted" && status;
  });
  expect(waiting.message).toMatch(/non-existent secret key: identities\.yaml/);
  expect(waiting.phase).toBe("Running");
  await kubectl(["delete", "scans.glovebox.dev", "keyless", "-n", fixture.namespace]);
  await fixture.cleanedUp();
});

test.each([
  ["no-yaml", `identities: [${SECRET}`, "identities.yaml is not valid YAML (line 1)."],
  [
    "no-identities",
    `identities: [{name: alice, role: ${SECRET}, headers: {Authorization: ${SECRET}}}]`,
    "identities.yaml: identities.0.role: must be one of user, admin.",
  ],
])(
  "a Secret that cannot be used (%s) fails the scan with field and reason, and no value",
  async (name, yaml, why) => {
    await applySecret(name, { "identities.yaml": yaml });
    await fixture.applyScan(name, signedIn(name));
    const { phase, failure, ...rest } = await fixture.finished(name);
    expect([phase, failure]).toEqual([
      "Failed",
      { code: "could_not_start", message: `The scanner could not be started. ${why}` },
    ]);
    expect(JSON.stringify(rest)).not.toContain(SECRET);
    await fixture.cleanedUp();
  },
);

describe("a Scan of a team", () => {
  const applyIn = (name: string, secret: string) =>
    apply({
      ...{ apiVersion: "glovebox.dev/v1alpha1", kind: "Scan", metadata: { name, namespace: team } },
      spec: signedIn(secret),
    });

  test("may use the Secret of the scan namespace that its namespace lists", async () => {
    await applySecret("for-team", { "identities.yaml": ALICE });
    await applyIn("listed", "for-team");
    expect(await endIn(team, "listed")).toMatchObject({ phase: "Completed", attempt: 1 });
  });

  test("may use no other one, and no Secret of its own namespace", async () => {
    const metadata = { name: "own", namespace: team };
    await apply({ apiVersion: "v1", kind: "Secret", metadata, stringData: { "identities.yaml": ALICE } });
    for (const secret of ["mixed", "own"]) {
      await applyIn(`uses-${secret}`, secret);
      const status = await endIn(team, `uses-${secret}`);
      expect(status).toMatchObject({ phase: "Failed", reason: "IdentitiesNotAllowed" });
      expect(status.startedAt).toBeUndefined();
    }
  });
});

test("the Scans of a schedule have the identities and the filters of its template", async () => {
  const scanTemplate = { spec: { ...signedIn("mixed"), account: "default", exclude: ["GET /orders"] } };
  await applySchedule(fixture.namespace, "signed-in", { schedule: soon(), scanTemplate });
  const name = await until("the Scan of the schedule", async () =>
    (await namesOf("scans.glovebox.dev", fixture.namespace)).find((one) => one.startsWith("signed-in-")),
  );
  const { spec } = await getJson<{ spec: object }>("scans.glovebox.dev", name, "-n", fixture.namespace);
  expect(spec).toEqual(scanTemplate.spec);
  expect(await fixture.finished(name)).toMatchObject({ phase: "Completed" });
});

test.each([
  ["a name that is none of a Secret", { identitiesSecretRef: { name: "../x" } }, "identitiesSecretRef.name"],
  ["no name of a Secret", { identitiesSecretRef: {} }, "identitiesSecretRef"],
  ["an empty list of operations", { include: [] }, "spec.include"],
  ["a filter that is none", { exclude: ["orders"] }, "spec.exclude"],
])("a Scan with %s is refused by the API server, by the name of the field", async (_, spec, field) => {
  const refused = apply({
    ...{ apiVersion: "glovebox.dev/v1alpha1", kind: "Scan" },
    metadata: { name: "invalid", namespace: fixture.namespace },
    spec: { ...SCAN, ...spec },
  });
  await expect(refused).rejects.toThrow(field);
});
