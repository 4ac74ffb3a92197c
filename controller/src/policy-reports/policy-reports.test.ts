import type { IndexedFinding } from "@glovebox/domain";
import type { DeliveredReport } from "@glovebox/scan-run";
import { API_VERSION, type ScanResource } from "@glovebox/k8s";
import { createFakeClock, FakeKubeApiserver } from "@glovebox/kube/testing";
import { KubeError } from "@glovebox/kube";
import { expect, test } from "vitest";
import { report as recorded, scanResource, START } from "../scan/testing/worlds.ts";
import { policyReport, type PolicyReport } from "./manifest.ts";
import { PolicyReports } from "./policy-reports.ts";

const MAX_WAITING = 30;

const MAX_RESULTS = 500;

const finding = (severity: IndexedFinding["severity"], index = 0): IndexedFinding => ({
  id: `find-${severity}-${index}`,
  severity,
  confidence: "confirmed",
  category: "authentication",
  check: "authentication/missing",
  title: "Missing authentication",
  place: `GET /orders/${"x".repeat(1000)}`,
  seenAt: [],
});
const reportOf = (findings: readonly IndexedFinding[]): DeliveredReport => ({
  ...recorded,
  index: { ...recorded.index, findings },
});

test("a Report has a result for each finding, with its severity, and counts them; it claims no pass", () => {
  const { metadata, summary, results, scope } = policyReport(
    scanResource(),
    reportOf([finding("critical"), finding("info")]),
    START,
  );
  expect(metadata).toMatchObject({
    name: expect.stringMatching(/^glovebox-api-shop-example-[0-9a-f]{10}$/),
    namespace: "glovebox-scans",
    annotations: {
      "glovebox.dev/target": "https://api.shop.example/v1",
      "glovebox.dev/score": "88",
      "glovebox.dev/grade": "B",
    },
  });
  expect(scope).toMatchObject({ kind: "Scan", name: scanResource().metadata.name });
  expect(summary).toEqual({ pass: 0, fail: 1, warn: 1, error: 0, skip: 0 });
  expect(results).toMatchObject([
    {
      policy: "authentication",
      rule: "authentication/missing",
      severity: "critical",
      result: "fail",
      scored: true,
      message: "Missing authentication",
      timestamp: { seconds: START.getTime() / 1000, nanos: 0 },
    },
    { severity: "info", result: "warn", scored: false },
  ]);
});

test("a Report of thousands of findings fits into an object, with the first ones and the count of all", () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({
    ...finding("high", index),
    title: "t".repeat(500),
  }));
  const made = policyReport(scanResource(), reportOf(many), START);
  expect(made.results).toHaveLength(MAX_RESULTS);
  expect(made.summary.fail).toBe(5000);
  expect(JSON.stringify(made).length).toBeLessThan(1_000_000);
});

test("a Report is deleted with the schedule of its Scan, otherwise with the Scan", () => {
  const { metadata, ...rest } = scanResource();
  const owner = {
    apiVersion: API_VERSION,
    kind: "ScanSchedule",
    name: "nightly",
    uid: "1",
    controller: true,
  };
  const ownersOf = (scan: ScanResource) =>
    policyReport(scan, reportOf([]), START).metadata.ownerReferences.map(({ kind, uid }) => [kind, uid]);
  expect(ownersOf({ ...rest, metadata: { ...metadata, ownerReferences: [owner] } })).toEqual([
    ["ScanSchedule", "1"],
  ]);
  expect(ownersOf(scanResource())).toEqual([["Scan", metadata.uid]]);
});

test.each([
  ["https://[2001:db8::1]:8443/v1", /^glovebox-2001-db8-1-[0-9a-f]{10}$/],
  ["https://API.Shop.example./", /^glovebox-api-shop-example-[0-9a-f]{10}$/],
  ["no address", /^glovebox-[0-9a-f]{10}$/],
])("the Report of %s has a valid name, the same each time", (url, name) => {
  const nameOf = () => policyReport({ ...scanResource(), spec: { url } }, reportOf([]), START).metadata.name;
  expect(nameOf()).toMatch(name);
  expect(nameOf()).toBe(nameOf());
});

/** What is written, in a cluster that has Reports unless told otherwise. */
async function publishing(
  act: (reports: PolicyReports, server: FakeKubeApiserver) => Promise<unknown>,
  { isServed = true, apply }: { isServed?: boolean; apply?: () => Promise<PolicyReport> } = {},
) {
  await using server = await FakeKubeApiserver.start();
  const client = server.client();
  const [written, failures]: [string[], string[]] = [[], []];
  server.fail({
    times: isServed ? Infinity : 0,
    matches: ({ path }) => path === "/apis/openreports.io/v1alpha1",
    act: (response) => void response.end("{}"),
  });
  const reports = new PolicyReports({
    transport: isServed ? client.transport : () => Promise.reject(new KubeError("GET", { code: 404 })),
    reports: {
      apply: apply ?? (async ({ name }, body) => (written.push(name), body)),
    },
    clock: createFakeClock(),
    onFailure: (_, error) => void failures.push((error as Error).message),
  });
  await act(reports, server);
  client.close();
  return { written, failures, asked: server.requests.length };
}

test("Reports are written where the cluster has them, which is asked once a minute", async () => {
  const { written, asked } = await publishing(async (reports) => {
    await reports.publish(scanResource(), reportOf([]));
    await reports.publish(scanResource(), reportOf([]));
  });
  expect([written.length, asked]).toEqual([2, 1]);
});

test("where the cluster has none, nothing is written and nothing fails", async () => {
  const { written, failures } = await publishing((reports) => reports.publish(scanResource(), reportOf([])), {
    isServed: false,
  });
  expect([written, failures]).toEqual([[], []]);
});

test("a Report that cannot be written is only noted", async () => {
  const apply = () => Promise.reject(new KubeError("PATCH reports", { code: 403, reason: "Forbidden" }));
  const { failures } = await publishing((reports) => reports.publish(scanResource(), reportOf([])), {
    apply,
  });
  expect(failures).toEqual(["PATCH reports: 403 Forbidden"]);
});

test("while the API server does not respond, a bounded number waits and the rest is dropped", async () => {
  const { promise, resolve } = Promise.withResolvers<PolicyReport>();
  let calls = 0;
  const apply = () => ((calls += 1), promise);
  await publishing(
    async (reports) => {
      const all = Array.from({ length: MAX_WAITING + 50 }, () =>
        reports.publish(scanResource(), reportOf([])),
      );
      resolve(policyReport(scanResource(), reportOf([]), START));
      await Promise.all(all);
    },
    { apply },
  );
  expect(calls).toBe(MAX_WAITING);
});
