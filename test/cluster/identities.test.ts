import { randomBytes } from "node:crypto";
import { identitiesFileSchema, newScanId, type IdentityInput, type Scan } from "@glovebox/contract";
import { API_NAME, API_VERSION, identitiesSecretName, KIND, LABELS } from "@glovebox/k8s";
import { FORMAT_NAMES } from "@glovebox/report";
import { COMMAND_LINE, openStore } from "@glovebox/store";
import { parseIdentityKeys } from "@glovebox/store/identity-keys";
import { storedReport } from "@glovebox/store/testing";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCAN, startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { applyChartRoles, type ChartRoles } from "./support/chart-roles.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { identityKeyFile } from "./support/identity-keys.ts";
import { apply, getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { ofScan, scanPod } from "./support/scan-pod.ts";
import { databaseRows, etcdEntries, findSecret, objectsIn, type Texts } from "./support/secret-search.ts";
import { until } from "./support/until.ts";

// Identities that are given to the API, from POST /v1/scan to the pod and until nothing has them any more. API and controller
// have the permissions of the chart. etcd itself is searched if GLOVEBOX_CLUSTER_ETCD is set (support/secret-search.ts), and
// otherwise what the API server lists.

const { GLOVEBOX_CLUSTER_ETCD } = process.env;
const SECRET = `s3cr+t/${randomBytes(9).toString("hex")} =`;
const PASSWORD = `pa55&w?rd-${randomBytes(9).toString("hex")}`;
const identities: IdentityInput[] = [
  { name: "alice", headers: { Authorization: `Bearer ${SECRET}` } },
  { name: "bob", role: "admin", cookies: { session: PASSWORD } },
];

const keys = identityKeyFile();
let fixture: Fixture;
let roles: ChartRoles;
let controller: ControllerProcess;
let api: ApiProcess;
let client: ApiClient;
beforeAll(async () => {
  fixture = await startFixture({ server: "signed-in-server.mjs", delayMs: 100 });
  roles = await applyChartRoles(fixture);
  // Jobs are kept, with their specs and logs, until the end of the test.
  controller = await fixture.startController({ ...roles.settings, GLOVEBOX_JOB_TTL_SECONDS: "600" });
  api = await startApi(fixture, { ...roles.apiSettings, ...keys.settings });
  client = await api.clientOf();
});
afterAll(async () => {
  await api?.stop();
  await fixture?.close();
  await roles?.remove();
  keys.remove();
});

const submit = async (): Promise<string> => {
  const body = { ...SCAN, identities };
  const response = await client.call("POST", "/v1/scan", { body, prefer: "respond-async" });
  return ((await response.json()) as Scan).id;
};
const secretNames = async (): Promise<string[]> =>
  (await namesOf("secrets", fixture.namespace)).filter((name) => name.endsWith("-identities"));
const secretGone = (id: string) =>
  until("the deletion of the Secret", async () => !(await secretNames()).includes(identitiesSecretName(id)));
const isEnded = (id: string) =>
  until(`the end of ${id}`, async () => (await client.read(id)).status !== "processing");

/** What is kept anywhere, without what is in memory. */
async function everything(id: string, scannerLog: string): Promise<Texts> {
  const { namespace, account, databaseUrl, store } = fixture;
  const row = (await store.scans.get(account.id, id))!;
  const exports = await Promise.all(
    FORMAT_NAMES.map(async (format) => {
      const response = await client.call("GET", `/v1/scan/${id}/report?format=${format}`);
      expect(response.status).toBe(200);
      return [`export ${format}`, await response.text()] as const;
    }),
  );
  return {
    ...(GLOVEBOX_CLUSTER_ETCD ? await etcdEntries(GLOVEBOX_CLUSTER_ETCD) : {}),
    ...(await objectsIn(namespace)),
    ...(await databaseRows(databaseUrl)),
    ...Object.fromEntries(exports),
    "log of the API": api.lines.join("\n"),
    "log of the controller": controller.lines.join("\n"),
    "log of the scanner": scannerLog,
    scan: JSON.stringify(await client.read(id)),
    report: JSON.stringify(storedReport(row)),
  };
}

describe("a scan with identities", () => {
  let id: string;
  beforeAll(async () => {
    id = await submit();
  });

  test("a scan with identities has a Secret that its Scan owns, and a pod that mounts one file of it for its group alone", async () => {
    const { metadata: pod, spec } = await scanPod(fixture.namespace, { selector: ofScan(id) });
    const name = identitiesSecretName(id);
    const secret = await getJson<SecretObject>("secret", name, "-n", fixture.namespace);
    const scan = await getJson<{ metadata: { uid: string } }>(
      "scans.glovebox.dev",
      id,
      "-n",
      fixture.namespace,
    );
    expect(secret).toMatchObject({ type: "Opaque", immutable: true });
    expect(secret.metadata.ownerReferences).toMatchObject([{ kind: KIND, name: id, uid: scan.metadata.uid }]);
    const file = Buffer.from(secret.data["identities.yaml"]!, "base64").toString();
    const parsed = identitiesFileSchema.parse({ identities });
    expect(identitiesFileSchema.parse(load(file))).toEqual(parsed);

    const look = `const { readdirSync, readFileSync, statSync } = require("node:fs");
      const folder = "/etc/glovebox/identities", file = folder + "/identities.yaml";
      const { mode, uid, gid } = statSync(file);
      const names = readdirSync(folder).filter((name) => !name.startsWith(".."));
      console.log(JSON.stringify({ mode: mode & 0o777, uid, gid, names, text: readFileSync(file, "utf8") }))`;
    const command = ["node", "--eval", look];
    const seen = await kubectl([
      "exec",
      pod.name,
      "-n",
      fixture.namespace,
      "-c",
      "scanner",
      "--",
      ...command,
    ]);
    expect(JSON.parse(seen)).toEqual({
      ...{ mode: 0o440, uid: 0, gid: 65532 },
      ...{ names: ["identities.yaml"], text: file },
    });
    expect(findSecret(SECRET, { spec: JSON.stringify(spec) })).toEqual([]);
    if (GLOVEBOX_CLUSTER_ETCD)
      expect(findSecret(SECRET, await etcdEntries(GLOVEBOX_CLUSTER_ETCD))).toEqual([
        `/registry/secrets/${fixture.namespace}/${name}`,
      ]);
  });

  test("a scan with identities is signed in at its target, and asks as nobody too", async () => {
    await isEnded(id);
    const callers = (await fixture.target.requests()).map((line) => line.split(" ").at(-1));
    expect(new Set(callers)).toEqual(new Set(["signed-in", "anonymous"]));
  });

  test("leaves its secrets nowhere when it has ended: not in the cluster, the database, logs, events or reports", async () => {
    await secretGone(id);
    expect(await fixture.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
    const { metadata: pod } = await scanPod(fixture.namespace, { selector: ofScan(id), phase: "Succeeded" });
    const log = await kubectl(["logs", pod.name, "-n", fixture.namespace]);
    const kept = await everything(id, log);
    // The search would find what is there.
    expect(findSecret(id, kept)).toEqual(expect.arrayContaining([`Job ${id}-1`, "public.scans"]));
    for (const secret of [SECRET, PASSWORD, keys.key]) expect(findSecret(secret, kept)).toEqual([]);
  });
});

test("the Secret of a scan that is cancelled is deleted", async () => {
  const id = await submit();
  await scanPod(fixture.namespace, { selector: ofScan(id) });
  expect(await secretNames()).toContain(identitiesSecretName(id));
  expect((await client.call("DELETE", `/v1/scan/${id}`)).status).toBe(204);
  await secretGone(id);
});

test("the Secret of a scan whose Scan is deleted is deleted", async () => {
  const id = await submit();
  await scanPod(fixture.namespace, { selector: ofScan(id) });
  await kubectl(["delete", "scans.glovebox.dev", id, "-n", fixture.namespace]);
  expect(await secretGone(id)).toBe(true);
  await isEnded(id);
});

test("a Scan of somebody else cannot use the Secret of a scan", async () => {
  const id = await submit();
  const identitiesSecretRef = { name: identitiesSecretName(id) };
  await fixture.applyScan("thief", { ...SCAN, identitiesSecretRef });
  expect(await fixture.finished("thief")).toMatchObject({ phase: "Failed", reason: "IdentitiesNotAllowed" });
  await client.call("DELETE", `/v1/scan/${id}`);
});

test("a scan whose API ended between the Scan and its Secret waits for it, and the next sweep creates it", async () => {
  const { namespace, account, databaseUrl } = fixture;
  await api.stop();
  const store = await openStore({ url: databaseUrl, identityKeys: parseIdentityKeys(keys.key) });
  const id = newScanId(new Date());
  const { metadata } = await getJson<{ metadata: { uid: string } }>("namespace", namespace);
  const parsed = identitiesFileSchema.parse({ identities });
  const submission = { id, account, actor: COMMAND_LINE, installation: metadata.uid, ...SCAN, ...parsed };
  await store.scans.submit(submission);
  await store.close();
  await apply({
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: id, namespace, labels: { [LABELS.managedBy]: API_NAME } },
    spec: { ...SCAN, account: account.name, identitiesSecretRef: { name: identitiesSecretName(id) } },
  });
  const waiting = await until("the reason why its pod waits", async () => {
    const status = await fixture.statusOf(id);
    return status.reason === "VolumeNotMounted" && status;
  });
  expect(waiting.message).toContain(`secret "${identitiesSecretName(id)}" not found`);
  api = await startApi(fixture, { ...roles.apiSettings, ...keys.settings });
  client = await api.clientOf();
  expect(await fixture.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
  await secretGone(id);
});

test("nothing was refused by the permissions of the chart", async () => {
  const refused = [...api.lines, ...controller.lines].filter((line) => /Forbidden|Invalid\b/.test(line));
  expect(refused).toEqual([]);
});

interface SecretObject {
  readonly type: string;
  readonly immutable: boolean;
  readonly data: Readonly<Record<string, string>>;
  readonly metadata: { readonly ownerReferences: readonly object[] };
}
