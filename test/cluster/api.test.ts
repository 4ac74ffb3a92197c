import type { Scan } from "@glovebox/contract";
import { API_NAME, API_VERSION, KIND, LABELS, type ScanResource } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StreamReader } from "../../api/src/testing/event-stream.ts";
import { SCAN, startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { apply, getJson, namesOf } from "./support/kubectl.ts";
import { HOST, setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

let stage: Stage;
let api: ApiProcess;
let client: ApiClient;
beforeAll(async () => {
  // Slow enough to be watched, and to be cancelled on its way.
  stage = await setStage({ delayMs: 100 });
  await stage.startController();
  api = await startApi(stage);
  client = await api.clientOf();
});
afterAll(async () => {
  await api?.stop();
  await stage?.close();
});

const ended = (id: string) =>
  until(`the end of ${id}`, async () => {
    const scan = await client.read(id);
    return scan.status !== "processing" && scan;
  });
const runningPod = (id: string) =>
  until(`the pod of ${id}`, async () => {
    const { items } = await getJson<{ items: { status: { phase: string } }[] }>(
      ...["pods", "-n", stage.namespace, "-l", `glovebox.dev/scan=${id}`],
    );
    return items.some(({ status }) => status.phase === "Running");
  });

describe("POST /v1/scan", () => {
  test("with Prefer: respond-async answers at once, and the scan goes its way as a Scan of its id", async () => {
    const answer = await client.call("POST", "/v1/scan", { body: SCAN, prefer: "respond-async" });
    const { id, status } = (await answer.json()) as Scan;
    expect([answer.status, status]).toEqual([200, "processing"]);
    expect(answer.headers.get("location")).toBe(`/v1/scan/${id}`);
    expect(answer.headers.get("preference-applied")).toBe("respond-async");

    const { spec } = await getJson<ScanResource>("scans.glovebox.dev", id, "-n", stage.namespace);
    expect(spec).toEqual({ ...SCAN, account: "default" });
    expect(await ended(id)).toMatchObject({ status: "completed", url: SCAN.url });
    const { score, grade, findings, ...others } = await client.read(id);
    const shown = await stage.finished(id);
    expect(shown).toMatchObject({ phase: "Completed", scanId: id, score, grade, findings: findings.length });
    expect(findings.length).toBeGreaterThan(0);
    expect(others).toHaveProperty("isolation");
    expect(await stage.tidied()).toBe(true);
  });

  test("is held until the scan has ended, and answers with its report", async () => {
    const answer = await client.call("POST", "/v1/scan", { body: SCAN, prefer: "wait=120" });
    const scan = (await answer.json()) as Scan;
    expect([answer.status, scan.status]).toEqual([200, "completed"]);
    expect(answer.headers.get("preference-applied")).toBe("wait=120");
    expect(Object.keys(scan.categories)).toHaveLength(12);
  });

  test("of a target that refuses the connection answers scan_failed, and where the scan is", async () => {
    const body = { url: `https://${HOST}:444/` };
    const answer = await client.call("POST", "/v1/scan", { body, prefer: "wait=120" });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { code: "scan_failed" } });
    const { status, error } = (await (await client.call("GET", answer.headers.get("location")!)).json()) as {
      status: string;
      error: object;
    };
    expect([status, error]).toMatchObject(["failed", { code: "connection_refused" }]);
  });
});

test("GET /metrics counts what sweeps did with scans that were left behind", async () => {
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  for (const outcome of ["launched", "failed", "cancelled"])
    expect(metrics).toContain(`glovebox_sweep_scans_total{outcome="${outcome}"} `);
});

describe("the events of a scan", () => {
  test("tell its progress while it runs, which GET shows too, and then its report", async () => {
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
  test("cancels a scan that runs: its Job, pod, policy and Scan go, and GET says that it was cancelled", async () => {
    const id = await client.submit();
    await runningPod(id);
    expect((await client.call("DELETE", `/v1/scan/${id}`)).status).toBe(204);
    expect(await client.read(id)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    await stage.tidied();
    expect(await namesOf("scans.glovebox.dev", stage.namespace)).not.toContain(id);
  });

  test("of a scan that was cancelled keeps its charge, and its place in the list until it is erased", async () => {
    const account = await stage.store.accounts.declare({ name: "thrifty", plan: "free" });
    const thrifty = await api.clientOf(account);
    const ids = [await thrifty.submit(), await thrifty.submit(), await thrifty.submit()];
    for (const id of ids) await thrifty.call("DELETE", `/v1/scan/${id}`);
    expect((await thrifty.list()).total).toBe(3);
    const refused = await thrifty.call("POST", "/v1/scan", { body: SCAN });
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { code: "rate_limit_exceeded" } },
    ]);
    expect((await thrifty.call("DELETE", `/v1/scan/${ids[0]}`)).status).toBe(204);
    expect((await thrifty.list()).total).toBe(2);
  });

  test("of a scan is not undone by another Scan that takes its name and label: that one is refused, and never started", async () => {
    const id = await client.submit();
    await client.call("DELETE", `/v1/scan/${id}`);
    await until("the end of the first Scan", async () => {
      const names = await namesOf("scans.glovebox.dev", stage.namespace);
      return !names.includes(id);
    });
    const metadata = { name: id, namespace: stage.namespace, labels: { [LABELS.managedBy]: API_NAME } };
    await apply({ apiVersion: API_VERSION, kind: KIND, metadata, spec: { ...SCAN, account: "default" } });
    const status = await stage.finished(id);
    expect(status).toMatchObject({ phase: "Failed", reason: "IdentityMismatch" });
    expect(status.startedAt).toBeUndefined();
  });
});
