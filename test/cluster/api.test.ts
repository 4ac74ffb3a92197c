import type { Scan } from "@glovebox/contract";
import { API_NAME, API_VERSION, KIND, LABELS, type ScanResource } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StreamReader } from "../../api/src/testing/event-stream.ts";
import { SCAN, startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { apply, getJson, namesOf } from "./support/kubectl.ts";
import { ofScan, scanPod } from "./support/scan-pod.ts";
import { HOST, startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
let api: ApiProcess;
let client: ApiClient;
beforeAll(async () => {
  // Slow enough to follow a scan, and to cancel it while it runs.
  fixture = await startFixture({ delayMs: 40 });
  await fixture.startController();
  api = await startApi(fixture);
  client = await api.clientOf();
});
afterAll(async () => {
  await api?.stop();
  await fixture?.close();
});

const ended = (id: string) =>
  until(`the end of ${id}`, async () => {
    const scan = await client.read(id);
    return scan.status !== "processing" && scan;
  });

describe("POST /v1/scan", () => {
  test("POST /v1/scan with Prefer: respond-async responds immediately, and creates a Scan named after the id, which completes", async () => {
    const response = await client.call("POST", "/v1/scan", { body: SCAN, prefer: "respond-async" });
    const { id, status } = (await response.json()) as Scan;
    expect([response.status, status]).toEqual([200, "processing"]);
    expect(response.headers.get("location")).toBe(`/v1/scan/${id}`);
    expect(response.headers.get("preference-applied")).toBe("respond-async");

    const { spec } = await getJson<ScanResource>("scans.glovebox.dev", id, "-n", fixture.namespace);
    expect(spec).toEqual({ ...SCAN, account: "default" });
    expect(await ended(id)).toMatchObject({ status: "completed", url: SCAN.url });
    const { score, grade, findings, ...others } = await client.read(id);
    const shown = await fixture.finished(id);
    expect(shown).toMatchObject({ phase: "Completed", scanId: id, score, grade, findings: findings.length });
    expect(findings.length).toBeGreaterThan(0);
    expect(others).toHaveProperty("isolation");
    expect(await fixture.cleanedUp()).toBe(true);
  });

  test("POST /v1/scan with Prefer: wait=120 responds with the report when the scan has ended", async () => {
    const response = await client.call("POST", "/v1/scan", { body: SCAN, prefer: "wait=120" });
    const scan = (await response.json()) as Scan;
    expect([response.status, scan.status]).toEqual([200, "completed"]);
    expect(response.headers.get("preference-applied")).toBe("wait=120");
    expect(Object.keys(scan.categories)).toHaveLength(12);
  });

  test("POST /v1/scan of a target that refuses connections returns scan_failed with the Location of the scan", async () => {
    const body = { url: `https://${HOST}:444/` };
    const response = await client.call("POST", "/v1/scan", { body, prefer: "wait=120" });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: "scan_failed" } });
    const { status, error } = (await (
      await client.call("GET", response.headers.get("location")!)
    ).json()) as {
      status: string;
      error: object;
    };
    expect([status, error]).toMatchObject(["failed", { code: "connection_refused" }]);
  });
});

test("GET /metrics counts the scans that sweeps launched, failed and cancelled", async () => {
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  for (const outcome of ["launched", "failed", "cancelled"])
    expect(metrics).toContain(`glovebox_sweep_scans_total{outcome="${outcome}"} `);
});

describe("the events of a scan", () => {
  test("report its progress while it runs, like GET, and then its report", async () => {
    const id = await client.submit();
    const stream = new StreamReader(await client.call("GET", `/v1/scan/${id}/events`));
    const first = await stream.next();
    expect(first).toMatchObject({
      event: "progress",
      data: {
        category: expect.any(String),
        done: expect.any(Number),
        total: { planned: expect.any(Number) },
      },
    });
    const { status, progress } = (await client.read(id)) as Extract<Scan, { status: "processing" }>;
    expect(status).toBe("processing");
    expect(progress.planned).toBeGreaterThan(0);

    const rest = await stream.rest();
    expect(rest.at(-1)).toMatchObject({ event: "completed", data: { id, score: expect.any(Number) } });
    const totals = [first!, ...rest.slice(0, -1)].map(({ data }) => data.total.done as number);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    expect(totals.length).toBeGreaterThan(1);
  });
});

describe("DELETE /v1/scan/{id}", () => {
  test("cancels a running scan: its Job, pod, policy and Scan are deleted, and GET returns cancelled", async () => {
    const id = await client.submit();
    await scanPod(fixture.namespace, { selector: ofScan(id) });
    expect((await client.call("DELETE", `/v1/scan/${id}`)).status).toBe(204);
    expect(await client.read(id)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    await fixture.cleanedUp();
    expect(await namesOf("scans.glovebox.dev", fixture.namespace)).not.toContain(id);
  });

  test("keeps the charge of a cancelled scan, and keeps it in the list until it is deleted", async () => {
    const account = await fixture.store.accounts.declare({ name: "limited", plan: "free" });
    const limited = await api.clientOf(account);
    const ids = [await limited.submit(), await limited.submit(), await limited.submit()];
    for (const id of ids) await limited.call("DELETE", `/v1/scan/${id}`);
    expect((await limited.list()).total).toBe(3);
    const refused = await limited.call("POST", "/v1/scan", { body: SCAN });
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { code: "rate_limit_exceeded" } },
    ]);
    expect((await limited.call("DELETE", `/v1/scan/${ids[0]}`)).status).toBe(204);
    expect((await limited.list()).total).toBe(2);
  });

  test("DELETE /v1/scan/{id} is not undone by another Scan with the same name and label, which is rejected and never started", async () => {
    const id = await client.submit();
    await client.call("DELETE", `/v1/scan/${id}`);
    await until("the end of the first Scan", async () => {
      const names = await namesOf("scans.glovebox.dev", fixture.namespace);
      return !names.includes(id);
    });
    const metadata = { name: id, namespace: fixture.namespace, labels: { [LABELS.managedBy]: API_NAME } };
    await apply({ apiVersion: API_VERSION, kind: KIND, metadata, spec: { ...SCAN, account: "default" } });
    const status = await fixture.finished(id);
    expect(status).toMatchObject({ phase: "Failed", reason: "IdentityMismatch" });
    expect(status.startedAt).toBeUndefined();
  });
});
