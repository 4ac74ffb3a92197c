import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, kubectl } from "./support/kubectl.ts";
import { resultsLost } from "./support/results-lost.ts";
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
