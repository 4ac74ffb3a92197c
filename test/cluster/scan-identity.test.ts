import { API_NAME, API_VERSION, KIND, LABELS } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

const NOWHERE = "https://nowhere.example/"; // a name of nobody's

let stage: Stage;
let api: ApiProcess;
let client: ApiClient;
beforeAll(async () => {
  stage = await setStage({ delayMs: 30 });
  await stage.startController({ GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10" });
  api = await startApi(stage);
  client = await api.clientOf();
});
afterAll(async () => {
  await api?.stop();
  await stage?.close();
});

/** A Scan under somebody else's id, of another address. */
const forge = (name: string, labels: Record<string, string>): Promise<unknown> =>
  apply({
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name, namespace: stage.namespace, labels },
    spec: { url: NOWHERE, account: "default" },
  });
const remove = (name: string) =>
  kubectl(["delete", "scans.glovebox.dev", name, "-n", stage.namespace, "--wait=true"]);

const WITH_LABEL = { [LABELS.managedBy]: API_NAME };

/** Scans of either origin, each with its id and the name of its Scan. */
const victims: [string, () => Promise<{ id: string; name: string }>][] = [
  [
    "a POST asked for",
    async () => {
      const id = await client.submit();
      return { id, name: id };
    },
  ],
  [
    "was applied by hand",
    async () => {
      const name = `victim-${Math.random().toString(36).slice(2, 8)}`;
      await stage.applyScan(name);
      const id = await until("its id", async () => (await stage.statusOf(name)).scanId);
      return { id, name };
    },
  ],
];

describe.each(victims)("under the id of a completed scan that %s", (_, victim) => {
  let id: string;
  beforeAll(async () => {
    const made = await victim();
    id = made.id;
    await stage.finished(made.name);
    await remove(made.name); // a Scan goes after its time, and its name is free then
  });

  test("a Scan of another address is scanned as what it is, under an id of its own", async () => {
    await forge(id, {});
    const status = await stage.finished(id);
    expect(status.scanId).not.toBe(id);
    expect(status).toMatchObject({ phase: "Failed", failure: { code: "name_not_resolved" } });
    await remove(id);
  });

  test("a Scan that says that the API made it is refused, and nothing is changed of the one that was scanned", async () => {
    const before = await client.read(id);
    await forge(id, WITH_LABEL);
    const status = await stage.finished(id);
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

describe("under the id of a scan that runs", () => {
  test.each([
    ["a Scan", {}],
    ["a Scan that says that the API made it", WITH_LABEL],
  ])("%s cancels nothing by being deleted: the scan completes", async (_, labels) => {
    const name = `runs-${Object.keys(labels).length}`;
    await stage.applyScan(name);
    const { scanId } = await until("the scan's start", async () => {
      const status = await stage.statusOf(name);
      return status.phase === "Running" && status;
    });
    await forge(scanId!, labels);
    await until(
      "a look at the forged one",
      async () => (await stage.statusOf(scanId!)).observedGeneration! > 0,
    );
    await remove(scanId!);
    expect(await stage.finished(name)).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await client.read(scanId!)).toMatchObject({ status: "completed" });
  });
});
