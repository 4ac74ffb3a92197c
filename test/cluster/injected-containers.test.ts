import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { RESTRICTED, SCANNER_IMAGE } from "./support/node-program.ts";
import { mutateScanPods } from "./support/pod-webhook.ts";

// What a service mesh or a log agent does to pods.
let fixture: Fixture;
let removeWebhook: (() => Promise<void>) | undefined;
beforeAll(async () => {
  fixture = await startFixture();
  await fixture.startController();
});
afterEach(async () => {
  await removeWebhook?.();
  await fixture.cleanedUp();
});
afterAll(() => fixture?.close());

const NOTE = "The pod of the scan has a container that Glovebox did not create: agent.";

/** Adds a container that runs this program to each scan pod. */
async function addContainer(program: string): Promise<void> {
  const container = {
    name: "agent",
    image: SCANNER_IMAGE,
    imagePullPolicy: "IfNotPresent",
    command: ["node", "-e", program],
    securityContext: RESTRICTED,
  };
  const patch = [{ op: "add", path: "/spec/containers/0", value: container }];
  removeWebhook = await mutateScanPods(fixture.namespace, () => patch);
}

describe("a scan to whose pod a webhook adds a container", () => {
  test.each([
    ["that never ends completes when its scanner has exited", "endless", "setInterval(() => {}, 1000)"],
    ["that fails completes all the same", "failing", "process.exit(1)"],
  ])("%s, and names the container", async (_, name, program) => {
    await addContainer(program);
    await fixture.applyScan(name);
    expect(await fixture.finished(name)).toMatchObject({
      phase: "Completed",
      attempt: 1,
      message: `The report arrived complete and was recorded. ${NOTE}`,
    });
  });
});
