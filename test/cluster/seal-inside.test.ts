import type { ScanOrder } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeAddresses } from "./support/cluster-addresses.ts";
import { type Destination, destinations, nameOf, startPeers, type Peers } from "./support/peers.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { runInPod, runInScanPod, scanPod, type PodObject } from "./support/scan-pod.ts";
import { HOST, startFixture, type Fixture } from "./support/fixture.ts";
import { TARGET_PORTS } from "./support/target.ts";
import { until } from "./support/until.ts";

type Outcomes = Readonly<Record<string, string>>;

/**
 * Whether a policy can block a pod from its own node depends on the network plugin. GLOVEBOX_CLUSTER_OWN_NODE is `reachable`
 * if the plugin of this cluster cannot.
 */
const OWN_NODE = process.env["GLOVEBOX_CLUSTER_OWN_NODE"] === "reachable" ? "reachable" : "blocked";

let fixture: Fixture;
let peers: Peers;
let pod: PodObject;
let pinned: readonly Destination[];
let forbidden: readonly Destination[];
let ownNode: readonly Destination[];
let isolated: Outcomes;
let control: Outcomes;
beforeAll(async () => {
  // Slow enough for the scan to run during the probes.
  fixture = await startFixture({ delayMs: 1500 });
  peers = await startPeers(fixture.namespace);
  for (const reason of peers.missing) process.stdout.write(`Left out: ${reason}.\n`);
  await fixture.startController({}, { [HOST]: fixture.target.addresses });
  await fixture.applyScan("inside");
  pod = await scanPod(fixture.namespace);
  await until("a request of the scan", async () => (await fixture.target.requests()).length > 0);
  pinned = destinations("the target", fixture.target.addresses, `tcp ${TARGET_PORTS.https}`);
  forbidden = [
    ...canariesOf(pod),
    ...peers.destinations,
    ...destinations(
      "the target at another port",
      fixture.target.addresses,
      `tcp ${TARGET_PORTS.other}`,
      `udp ${TARGET_PORTS.other}`,
    ),
  ];
  const nodes = await nodeAddresses();
  // Policies apply to the endpoint of a NodePort, not to the node.
  ownNode = forbidden.filter(
    ({ description, address }) => nodes.includes(address) && description !== "a NodePort",
  );
  const list = JSON.stringify([...pinned, ...forbidden]);
  const where = { namespace: fixture.namespace, pod: pod.metadata.name };
  [isolated, control] = await Promise.all([
    runInScanPod(where, "probe.mjs", list).then(parseOutcomes),
    runInPod(peers.namespace, "probe.mjs", list).then(parseOutcomes),
  ]);
});
afterAll(async () => {
  await peers?.close();
  await fixture?.close();
});

function canariesOf({ metadata }: PodObject): Destination[] {
  const order = JSON.parse(metadata.annotations!["glovebox.dev/order"]!) as ScanOrder;
  return order.isolation!.canaries.flatMap(({ address, port }) =>
    destinations("the canary", [address], `tcp ${port}`),
  );
}

const parseOutcomes = (lines: readonly string[]): Outcomes =>
  Object.fromEntries(
    lines
      .map((line) => JSON.parse(line) as Destination & { outcome: string })
      .map((one) => [nameOf(one), one.outcome]),
  );
const allWith = (outcome: string, some: readonly Destination[]): Outcomes =>
  Object.fromEntries(some.map((one) => [nameOf(one), outcome]));
const outcomesOf = (outcomes: Outcomes, some: readonly Destination[]): Outcomes =>
  Object.fromEntries(some.map((one) => [nameOf(one), outcomes[nameOf(one)] ?? "not probed"]));

describe("a program in a scan pod, while it scans", () => {
  test("a program in a scan pod, while it scans has a control: a pod without a policy reaches every destination", () => {
    expect(control).toEqual(allWith("reached", [...pinned, ...forbidden]));
  });

  test("reaches the target at its pinned addresses and port", () => {
    expect(outcomesOf(isolated, pinned)).toEqual(allWith("reached", pinned));
  });

  test("reaches no other destination inside or outside the cluster", () => {
    const others = forbidden.filter((one) => !ownNode.includes(one)).map(nameOf);
    expect(others.filter((name) => isolated[name] === "reached")).toEqual([]);
    expect(Object.keys(isolated)).toEqual(expect.arrayContaining(others));
  });

  test(`finds its own node and the kubelet ${OWN_NODE}, as expected of this cluster`, () => {
    const outcomes = outcomesOf(isolated, ownNode);
    process.stdout.write(`An isolated pod and its own node: ${JSON.stringify(outcomes)}\n`);
    const reached = Object.values(outcomes).map((outcome) => outcome === "reached");
    expect(reached).toEqual(ownNode.map(() => OWN_NODE === "reachable"));
    expect(ownNode.length).toBeGreaterThan(0);
  });

  test("does not stop the scan, which goes on", async () => {
    const before = (await fixture.target.requests()).length;
    await until("another request of the scan", async () => (await fixture.target.requests()).length > before);
    expect(await fixture.statusOf("inside")).toMatchObject({ phase: "Running", attempt: 1 });
  });
});

describe("a scan pod", () => {
  let found: Record<"command" | "visited" | "writable" | "environment", string[]> & { hasToken: boolean };
  beforeAll(async () => {
    const where = { namespace: fixture.namespace, pod: pod.metadata.name };
    found = JSON.parse((await runInScanPod(where, "writable-paths.mjs"))[0]!);
  });

  test("can write only to a folder with a size limit and to its termination message", () => {
    expect(found.command).toContain("/order/order.json");
    expect(found.visited).toEqual(expect.arrayContaining(["/app", "/etc", "/order", "/dev/shm", "/tmp"]));
    expect(found.writable).toEqual(["/dev/termination-log", "/tmp"]);
    const folders = pod.spec.volumes!.filter(({ emptyDir }) => emptyDir);
    expect(folders.map(({ name, emptyDir }) => [name, typeof emptyDir!.sizeLimit])).toEqual([
      ["tmp", "string"],
    ]);
  });

  test("a scan pod has no service account token", () => {
    expect(pod.spec.automountServiceAccountToken).toBe(false);
    expect(found.hasToken).toBe(false);
  });

  test("a scan pod has no environment variables, and none of Services", () => {
    expect(pod.spec.enableServiceLinks).toBe(false);
    expect(pod.spec.containers[0]!.env ?? []).toEqual([]);
    // The kubelet adds the variables of the Service `kubernetes` to every pod.
    const ofServices = found.environment.filter((name) => /_(SERVICE|PORT)(_|$)/.test(name));
    expect(ofServices.filter((name) => !name.startsWith("KUBERNETES_"))).toEqual([]);
  });
});

test("a privileged pod is rejected in the scan namespace by Pod Security restricted", async () => {
  const open = { name: "open", image: "example.invalid/open", securityContext: { privileged: true } };
  const run = kubectl(
    ["apply", "-n", fixture.namespace, "-f", "-"],
    JSON.stringify({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "open" },
      spec: { hostNetwork: true, containers: [open] },
    }),
  );
  await expect(run).rejects.toThrow(/violates PodSecurity "restricted/);
});

test("a conflicting policy that allows all egress fails the running scan, and the message names the policy", async () => {
  const { phase } = await fixture.statusOf("inside");
  expect(phase).toBe("Running");
  await apply({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "widening", namespace: fixture.namespace },
    spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{}] },
  });
  const status = await fixture.finished("inside");
  expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_widened" } });
  expect(status.failure!.message).toContain(`NetworkPolicy ${fixture.namespace}/widening`);
  await fixture.cleanedUp();
});
