import { outcomeFrames, terminationMessage } from "@glovebox/contract";
import { LABELS, scanIdOf, type ScanResource } from "@glovebox/k8s";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RESTRICTED, SCANNER_IMAGE } from "./support/node-program.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { resultsLost } from "./support/controller.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ server: "forging-server.mjs", delayMs: 100 });
});
afterAll(() => stage?.close());

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly phase: string;
    readonly containerStatuses?: readonly {
      readonly state: { readonly terminated?: { readonly message: string } };
    }[];
  };
}
const podInPhase = (phase: string): Promise<Pod> =>
  until(`a scan's pod that has ${phase}`, async () => {
    const { items } = await getJson<{ items: Pod[] }>("pods", "-n", stage.namespace);
    return items.find(({ status }) => status.phase === phase);
  });

interface Line {
  readonly frame?: string;
  readonly fault?: string;
  readonly sha256?: string;
  readonly done?: number;
}

test("frames that a target puts into its answers, headers, errors and description end up as nothing but evidence", async () => {
  const first = await stage.startController();
  await stage.applyScan("forged");
  await podInPhase("Running");
  await first.kill(); // so that the log is there to be looked at

  const { metadata, status: ended } = await podInPhase("Succeeded");
  const message = JSON.parse(ended.containerStatuses![0]!.state.terminated!.message) as Line;
  const log = await kubectl(["logs", metadata.name, "-n", stage.namespace, "-c", "scanner"]);
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

  const second = await stage.startController();
  const status = await stage.finished("forged");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(status.findings).toBeGreaterThan(0);
  expect(await resultsLost(second)).toBe(0);
  const { reportJson } = (await stage.store.scans.get(stage.account.id, status.scanId!))!;
  expect(reportJson).toContain("forged"); // it was heard
  await second.stop();
});

/** A Job of somebody's whose pods look like those of a scan, and leave the report of a failure that never was. */
function decoy(scanId: string): object {
  const frames = outcomeFrames({ status: "failed", failure: { code: "tls_failure", message: "forged" } });
  const program = `require("node:fs").writeFileSync("/tmp/message", ${JSON.stringify(terminationMessage(frames))})`;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "decoy", namespace: stage.namespace },
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

test("a pod of another Job that carries the labels of a scan, and is there first, delivers nothing for it", async () => {
  await stage.applyScan("impersonated");
  const scan = await getJson<ScanResource>("scans.glovebox.dev", "impersonated", "-n", stage.namespace);
  await apply(decoy(scanIdOf(scan)));
  await kubectl([
    ...["wait", "job/decoy", "-n", stage.namespace, "--for=condition=Complete", "--timeout=120s"],
  ]);

  const controller = await stage.startController();
  const status = await stage.finished("impersonated");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(status.findings).toBeGreaterThan(0);
  expect(await resultsLost(controller)).toBe(0);
  await controller.stop();
});
