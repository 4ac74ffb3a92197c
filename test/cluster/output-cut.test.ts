import { afterAll, beforeAll, expect, test } from "vitest";
import { cuttingApiServer } from "./support/cutting-api-server.ts";
import { resultsLost } from "./support/controller.ts";
import { setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

test.each([
  ["once is read again, and the scan is not repeated", "cut-once", { cuts: 1, attempt: 1, lost: 0 }],
  ["at every read is lost, and the next attempt delivers it", "always-cut", { cuts: 3, attempt: 2, lost: 1 }],
])("a log that is cut on its way %s", async (_, name, { cuts, attempt, lost }) => {
  const server = await cuttingApiServer(cuts);
  try {
    const controller = await stage.startController({ KUBECONFIG: server.kubeconfig });
    await stage.applyScan(name);
    const status = await stage.finished(name);
    expect(status).toMatchObject({ phase: "Completed", attempt });
    expect(status.findings).toBeGreaterThan(0);
    expect(server.reads()).toBe(cuts + 1);
    expect(await resultsLost(controller)).toBe(lost);
    await stage.tidied();
    await controller.stop();
  } finally {
    await server.close();
  }
});
