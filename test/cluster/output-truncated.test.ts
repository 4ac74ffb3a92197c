import { afterAll, beforeAll, expect, test } from "vitest";
import { startTruncatingProxy } from "./support/truncating-proxy.ts";
import { resultsLost } from "./support/controller.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture?.close());

test.each([
  [
    "once is read again, and the scan completes in its first attempt",
    "truncated-once",
    { truncated: 1, attempt: 1, lost: 0 },
  ],
  [
    "at every read counts as lost, and the next attempt completes",
    "always-truncated",
    { truncated: 3, attempt: 2, lost: 1 },
  ],
])("a pod log that the API server truncates %s", async (_, name, { truncated, attempt, lost }) => {
  const proxy = await startTruncatingProxy(truncated);
  try {
    const controller = await fixture.startController({ KUBECONFIG: proxy.kubeconfig });
    await fixture.applyScan(name);
    const status = await fixture.finished(name);
    expect(status).toMatchObject({ phase: "Completed", attempt });
    expect(status.findings).toBeGreaterThan(0);
    expect(proxy.reads()).toBe(truncated + 1);
    expect(await resultsLost(controller)).toBe(lost);
    await fixture.cleanedUp();
    await controller.stop();
  } finally {
    await proxy.close();
  }
});
