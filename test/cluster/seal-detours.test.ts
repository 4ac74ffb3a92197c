import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { runBeside, scanPod } from "./support/scan-pod.ts";
import { HOST, namespaceObjects, setStage, type Stage } from "./support/stage.ts";
import { setSurroundings, type Surroundings } from "./support/surroundings.ts";
import { TARGET_PORTS } from "./support/target.ts";

// Where a target sends its scan: to what is around it, and to other ports of its own.
const NAMESPACE = `glovebox-test-detours-${randomBytes(4).toString("hex")}`;

let around: Surroundings;
let stage: Stage;
/** Where the operations of the target lead, by path. */
let redirects: Record<string, string>;
beforeAll(async () => {
  await apply(...namespaceObjects(NAMESPACE));
  around = await setSurroundings(NAMESPACE);
  const places = [
    ...around.destinations.map(({ address, port }) => `${bracketed(address)}:${port}`),
    `${HOST}:${TARGET_PORTS.other}`,
  ];
  const locations = [...new Set(places)].map((place, index) => `${index % 2 ? "http" : "https"}://${place}/`);
  redirects = Object.fromEntries(locations.map((location, index) => [`/v1/away/${index}`, location]));
  const document = `https://${bracketed(elsewhere())}:${around.listeners[0]!.port}/openapi.json`;
  stage = await setStage({ namespace: NAMESPACE, redirects: { ...redirects, "/away.json": document } });
});
afterAll(async () => {
  await around?.close();
  await stage?.close();
});

/** An address that is no target. */
const elsewhere = (): string => around.listeners[0]!.addresses[0]!;

const bracketed = (address: string): string => (address.includes(":") ? `[${address}]` : address);

/** Nobody around was called, and the target only at its pinned port. */
async function expectNoDetour(): Promise<void> {
  const callers = await Promise.all(around.listeners.map((listener) => listener.callers()));
  expect(callers).toEqual(around.listeners.map(() => []));
  expect(await stage.target.strays()).toEqual([]);
}

describe("a target that redirects to everything around its scan", () => {
  let controller: ControllerProcess;
  beforeAll(async () => {
    controller = await stage.startController();
  });
  afterAll(() => controller?.stop());

  test("by its operations is scanned to the end, and nobody else is called", async () => {
    await stage.applyScan("redirected");
    expect(await stage.finished("redirected")).toMatchObject({ phase: "Completed", attempt: 1 });
    const asked = (await stage.target.requests()).flatMap((line) => /\/v1\/away\/\d+$/.exec(line) ?? []);
    expect(new Set(asked)).toEqual(new Set(Object.keys(redirects)));
    await expectNoDetour();
  });

  test("from its document is scanned without it, and nobody else is called", async () => {
    await stage.applyScan("redirected-document", {
      url: `https://${HOST}/v1`,
      specUrl: `https://${HOST}/away.json`,
    });
    expect(await stage.finished("redirected-document")).toMatchObject({ phase: "Completed" });
    expect((await stage.target.requests()).filter((line) => line.includes("/away.json"))).not.toEqual([]);
    await expectNoDetour();
  });

  test("from the very address that is scanned ends in a state that can be read", async () => {
    await stage.applyScan("redirected-root", { url: `https://${HOST}/v1/away/0` });
    const status = await stage.finished("redirected-root");
    expect(status.phase === "Completed" ? "a score" : status.failure?.message).toBeTruthy();
    await expectNoDetour();
    await stage.tidied();
  });
});

describe("a name that leads to a private address once it was judged", () => {
  test("is not asked again: the scan stays with the address that it was pinned to", async () => {
    const hosts = { [HOST]: { first: stage.target.address, later: elsewhere() } };
    const controller = await stage.startController({}, hosts);
    await stage.applyScan("rebound");
    expect(await stage.finished("rebound")).toMatchObject({ phase: "Completed", attempt: 1 });
    await expectNoDetour();
    await controller.stop();
  });

  test("is refused by the next attempt, which resolves it anew", async () => {
    const hosts = { [HOST]: { first: stage.target.address, later: elsewhere() } };
    await stage.startController({}, hosts);
    await stage.applyScan("rebound-between");
    const { metadata } = await scanPod(NAMESPACE);
    await kubectl(["delete", "pod", metadata.name, "-n", NAMESPACE, "--grace-period=0", "--force"]);
    const status = await stage.finished("rebound-between");
    expect(status).toMatchObject({ phase: "Failed", attempt: 2, failure: { code: "egress_refused" } });
    expect(status.failure?.message).toContain(HOST);
    await expectNoDetour();
  });
});

test("all of the servers around do count whoever calls them", async () => {
  await runBeside(around.namespace, "probe.mjs", JSON.stringify(around.destinations));
  const callers = await Promise.all(around.listeners.map((listener) => listener.callers()));
  expect(callers.filter((some) => some.length === 0)).toEqual([]);
});
