import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { hostPort } from "./support/cluster-addresses.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { runInPod, scanPod } from "./support/scan-pod.ts";
import { HOST, namespaceObjects, startFixture, type Fixture } from "./support/fixture.ts";
import { startPeers, type Peers } from "./support/peers.ts";
import { TARGET_PORTS } from "./support/target.ts";

// Targets that redirect their scan to other hosts and ports, or rebind their name.
const NAMESPACE = `glovebox-test-redirects-${randomBytes(4).toString("hex")}`;

let peers: Peers;
let fixture: Fixture;
/** Locations of the target's redirects, by path. */
let redirects: Record<string, string>;
beforeAll(async () => {
  await apply(...namespaceObjects(NAMESPACE));
  peers = await startPeers(NAMESPACE);
  const hosts = [
    ...peers.destinations.map(({ address, port }) => hostPort(address, port)),
    `${HOST}:${TARGET_PORTS.other}`,
  ];
  const locations = [...new Set(hosts)].map((host, index) => `${index % 2 ? "http" : "https"}://${host}/`);
  redirects = Object.fromEntries(locations.map((location, index) => [`/v1/redirects/${index}`, location]));
  const document = `https://${hostPort(otherAddress(), peers.listeners[0]!.port)}/openapi.json`;
  fixture = await startFixture({
    namespace: NAMESPACE,
    redirects: { ...redirects, "/redirected.json": document },
  });
});
afterAll(async () => {
  await peers?.close();
  await fixture?.close();
});

/** An address that is not the target's. */
const otherAddress = (): string => peers.listeners[0]!.addresses[0]!;

/** Asserts that no peer had a client, and the target only on its pinned port. */
async function expectOnlyPinned(): Promise<void> {
  const clients = await Promise.all(peers.listeners.map((listener) => listener.clients()));
  expect(clients).toEqual(peers.listeners.map(() => []));
  expect(await fixture.target.otherPortClients()).toEqual([]);
}

describe("a target that redirects to every peer of its scan", () => {
  let controller: ControllerProcess;
  beforeAll(async () => {
    controller = await fixture.startController();
  });
  afterAll(() => controller?.stop());

  test("a target that redirects to every peer of its scan from its operations is scanned, and only the target receives requests", async () => {
    await fixture.applyScan("redirected");
    expect(await fixture.finished("redirected")).toMatchObject({ phase: "Completed", attempt: 1 });
    const requested = (await fixture.target.requests()).flatMap(
      (line) => /\/v1\/redirects\/\d+$/.exec(line) ?? [],
    );
    expect(new Set(requested)).toEqual(new Set(Object.keys(redirects)));
    await expectOnlyPinned();
  });

  test("a target that redirects to every peer of its scan from its OpenAPI document is scanned without it, and only the target receives requests", async () => {
    await fixture.applyScan("redirected-document", {
      url: `https://${HOST}/v1`,
      specUrl: `https://${HOST}/redirected.json`,
    });
    expect(await fixture.finished("redirected-document")).toMatchObject({ phase: "Completed" });
    expect((await fixture.target.requests()).filter((line) => line.includes("/redirected.json"))).not.toEqual(
      [],
    );
    await expectOnlyPinned();
  });

  test("a target that redirects to every peer of its scan from the scanned URL itself completes or fails with a message, and only the target receives requests", async () => {
    await fixture.applyScan("redirected-root", { url: `https://${HOST}/v1/redirects/0` });
    const status = await fixture.finished("redirected-root");
    expect(status.phase === "Completed" ? "a score" : status.failure?.message).toBeTruthy();
    await expectOnlyPinned();
    await fixture.cleanedUp();
  });
});

describe("a host that resolves to a private address after the first lookup", () => {
  test("a host that resolves to a private address after the first lookup is not resolved again: the scan connects to the pinned address only", async () => {
    const hosts = { [HOST]: { first: fixture.target.address, later: otherAddress() } };
    const controller = await fixture.startController({}, hosts);
    await fixture.applyScan("rebound");
    expect(await fixture.finished("rebound")).toMatchObject({ phase: "Completed", attempt: 1 });
    await expectOnlyPinned();
    await controller.stop();
  });

  test("a host that resolves to a private address after the first lookup is refused in the next attempt, which resolves it again", async () => {
    const hosts = { [HOST]: { first: fixture.target.address, later: otherAddress() } };
    await fixture.startController({}, hosts);
    await fixture.applyScan("rebound-between");
    const { metadata } = await scanPod(NAMESPACE);
    await kubectl(["delete", "pod", metadata.name, "-n", NAMESPACE, "--grace-period=0", "--force"]);
    const status = await fixture.finished("rebound-between");
    expect(status).toMatchObject({ phase: "Failed", attempt: 2, failure: { code: "egress_refused" } });
    expect(status.failure?.message).toContain(HOST);
    await expectOnlyPinned();
  });
});

test("all peers record clients that are not isolated", async () => {
  await runInPod(peers.namespace, "probe.mjs", JSON.stringify(peers.destinations));
  const clients = await Promise.all(peers.listeners.map((listener) => listener.clients()));
  expect(clients.filter((some) => some.length === 0)).toEqual([]);
});
