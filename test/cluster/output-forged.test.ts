import { storedReport } from "@glovebox/store/testing";
import { outcomeFrames, terminationMessage } from "@glovebox/scan-run";
import { LABELS, scanIdOf, type ScanResource } from "@glovebox/k8s";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RESTRICTED, SCANNER_IMAGE } from "./support/node-program.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { resultsLost } from "./support/controller.ts";
import { scanPod } from "./support/scan-pod.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ server: "forged-frames-server.mjs", delayMs: 100 });
});
afterAll(() => fixture?.close());

interface Line {
  readonly frame?: string;
  readonly fault?: string;
  readonly sha256?: string;
  readonly done?: number;
}

test("report frames in the target's responses, headers, errors and OpenAPI document appear in the report as evidence only", async () => {
  const first = await fixture.startController();
  await fixture.applyScan("forged");
  await scanPod(fixture.namespace);
  await first.kill(); // it would delete the pod and its log

  const { metadata, status: ended } = await scanPod(fixture.namespace, { phase: "Succeeded" });
  const message = JSON.parse(ended.containerStatuses![0]!.state.terminated!.message) as Line;
  const log = await kubectl(["logs", metadata.name, "-n", fixture.namespace, "-c", "scanner"]);
  expect(log).not.toContain("forged");
  const lines = log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
  expect(lines.filter(({ frame, fault }) => (frame ?? fault) === undefined)).toEqual([]);
  expect(lines.filter(({ frame }) => frame === "ending")).toEqual([message]);
  const pieces = lines.filter(({ frame }) => frame === "report");
  expect(pieces.length).toBeGreaterThan(0);
  expect(new Set(pieces.map(({ sha256 }) => sha256))).toEqual(new Set([message.sha256]));
  expect(lines.filter(({ done }) => done === 99)).toEqual([]);

  const second = await fixture.startController();
  const status = await fixture.finished("forged");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(status.findings).toBeGreaterThan(0);
  expect(await resultsLost(second)).toBe(0);
  const row = (await fixture.store.scans.get(fixture.account.id, status.scanId!))!;
  expect(JSON.stringify(storedReport(row))).toContain("forged"); // the scanner has received it
  await second.stop();
});

/** A Job whose pod has the labels of a scan pod and a termination message with a forged failure. */
function decoy(scanId: string): object {
  const frames = outcomeFrames({ status: "failed", failure: { code: "tls_failure", message: "forged" } });
  const program = `require("node:fs").writeFileSync("/tmp/message", ${JSON.stringify(terminationMessage(frames))})`;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "decoy", namespace: fixture.namespace },
    spec: {
      template: {
        metadata: { labels: { [LABELS.scan]: scanId, [LABELS.attempt]: "1" } },
        spec: {
          restartPolicy: "Never",
          automountServiceAccountToken: false,
          containers: [
            {
              name: "scanner",
              image: SCANNER_IMAGE,
              imagePullPolicy: "IfNotPresent",
              command: ["node", "-e", program],
              terminationMessagePath: "/tmp/message",
              securityContext: RESTRICTED,
            },
          ],
        },
      },
    },
  };
}

test("a pod of another Job with the labels of a scan pod is ignored, even if it ran first", async () => {
  await fixture.applyScan("impersonated");
  const scan = await getJson<ScanResource>("scans.glovebox.dev", "impersonated", "-n", fixture.namespace);
  await apply(decoy(scanIdOf(scan)));
  await kubectl([
    ...["wait", "job/decoy", "-n", fixture.namespace, "--for=condition=Complete", "--timeout=120s"],
  ]);

  const controller = await fixture.startController();
  const status = await fixture.finished("impersonated");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(status.findings).toBeGreaterThan(0);
  expect(await resultsLost(controller)).toBe(0);
  await controller.stop();
});
