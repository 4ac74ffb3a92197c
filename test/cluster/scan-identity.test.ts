import { API_NAME, API_VERSION, KIND, LABELS } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

const UNRESOLVABLE = "https://nowhere.example/"; // the name does not exist

let fixture: Fixture;
let api: ApiProcess;
let client: ApiClient;
beforeAll(async () => {
  fixture = await startFixture({ delayMs: 30 });
  await fixture.startController({ GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10" });
  api = await startApi(fixture);
  client = await api.clientOf();
});
afterAll(async () => {
  await api?.stop();
  await fixture?.close();
});

/** Creates a Scan with the id of another scan as its name, and another URL. */
const forge = (name: string, labels: Record<string, string>): Promise<unknown> =>
  apply({
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name, namespace: fixture.namespace, labels },
    spec: { url: UNRESOLVABLE, account: "default" },
  });
const remove = (name: string) =>
  kubectl(["delete", "scans.glovebox.dev", name, "-n", fixture.namespace, "--wait=true"]);

const WITH_LABEL = { [LABELS.managedBy]: API_NAME };

/** A scan of each origin, with its id and the name of its Scan. */
const origins: [string, () => Promise<{ id: string; name: string }>][] = [
  [
    "was submitted by POST",
    async () => {
      const id = await client.submit();
      return { id, name: id };
    },
  ],
  [
    "was applied with kubectl",
    async () => {
      const name = `original-${Math.random().toString(36).slice(2, 8)}`;
      await fixture.applyScan(name);
      const id = await until("the id of the scan", async () => (await fixture.statusOf(name)).scanId);
      return { id, name };
    },
  ],
];

describe.each(origins)("with the id of a completed scan that %s", (_, complete) => {
  let id: string;
  beforeAll(async () => {
    const original = await complete();
    id = original.id;
    await fixture.finished(original.name);
    await remove(original.name); // as after its TTL: its name can be used again
  });

  test("a Scan of another URL gets a new scan id", async () => {
    await forge(id, {});
    const status = await fixture.finished(id);
    expect(status.scanId).not.toBe(id);
    expect(status).toMatchObject({ phase: "Failed", failure: { code: "name_not_resolved" } });
    await remove(id);
  });

  test("a Scan with the label of the API is rejected, and the record of the completed scan does not change", async () => {
    const before = await client.read(id);
    await forge(id, WITH_LABEL);
    const status = await fixture.finished(id);
    expect(status).toMatchObject({
      phase: "Failed",
      conditions: [
        { type: "Accepted", status: "False", reason: "IdentityMismatch" },
        { type: "Failed", status: "True" },
        { type: "Stalled", status: "True" },
      ],
    });
    expect(status).not.toHaveProperty("score");
    await remove(id);
    expect(await client.read(id)).toEqual(before);
    expect(before.status).toBe("completed");
  });
});

describe("with the id of a running scan", () => {
  test.each([
    ["a Scan", {}],
    ["a Scan with the label of the API", WITH_LABEL],
  ])("%s can be deleted without cancelling the scan, which completes", async (_, labels) => {
    const name = `runs-${Object.keys(labels).length}`;
    await fixture.applyScan(name);
    const { scanId } = await until("the scan to run", async () => {
      const status = await fixture.statusOf(name);
      return status.phase === "Running" && status;
    });
    await forge(scanId!, labels);
    await until(
      "the forged Scan to be reconciled",
      async () => (await fixture.statusOf(scanId!)).observedGeneration! > 0,
    );
    await remove(scanId!);
    expect(await fixture.finished(name)).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await client.read(scanId!)).toMatchObject({ status: "completed" });
  });
});
