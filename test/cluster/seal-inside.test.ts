import type { ScanOrder } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeAddresses } from "./support/cluster-addresses.ts";
import {
  type Destination,
  destinations,
  nameOf,
  setSurroundings,
  type Surroundings,
} from "./support/surroundings.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { runBeside, runInside, scanPod, type PodObject } from "./support/scan-pod.ts";
import { HOST, setStage, type Stage } from "./support/stage.ts";
import { TARGET_PORTS } from "./support/target.ts";
import { until } from "./support/until.ts";

type Outcomes = Readonly<Record<string, string>>;

/**
 * Kubernetes leaves it to the network plugin whether a policy keeps a pod from its own node: GLOVEBOX_CLUSTER_OWN_NODE says
 * what is known of this cluster's.
 */
const NODE = process.env["GLOVEBOX_CLUSTER_OWN_NODE"] === "reachable" ? "reachable" : "blocked";

let stage: Stage;
let around: Surroundings;
let pod: PodObject;
let pinned: readonly Destination[];
let forbidden: readonly Destination[];
let ofItsNode: readonly Destination[];
let inside: Outcomes;
let control: Outcomes;
beforeAll(async () => {
  // Slow enough for the scan to go on while its pod is tried.
  stage = await setStage({ delayMs: 1500 });
  around = await setSurroundings(stage.namespace);
  for (const lack of around.missing) process.stdout.write(`Left out: ${lack}.\n`);
  await stage.startController({}, { [HOST]: stage.target.addresses });
  await stage.applyScan("inside");
  pod = await scanPod(stage.namespace);
  await until("a request of the scan", async () => (await stage.target.requests()).length > 0);
  pinned = destinations("the target", stage.target.addresses, `tcp ${TARGET_PORTS.https}`);
  forbidden = [
    ...canariesOf(pod),
    ...around.destinations,
    ...destinations(
      "the target at another port",
      stage.target.addresses,
      `tcp ${TARGET_PORTS.other}`,
      `udp ${TARGET_PORTS.other}`,
    ),
  ];
  const nodes = await nodeAddresses();
  // Traffic to a NodePort is judged by the pod behind it.
  ofItsNode = forbidden.filter(({ what, address }) => nodes.includes(address) && what !== "a NodePort");
  const list = JSON.stringify([...pinned, ...forbidden]);
  const where = { namespace: stage.namespace, pod: pod.metadata.name };
  [inside, control] = await Promise.all([
    runInside(where, "probe.mjs", list).then(outcomesIn),
    runBeside(around.namespace, "probe.mjs", list).then(outcomesIn),
  ]);
});
afterAll(async () => {
  await around?.close();
  await stage?.close();
});

function canariesOf({ metadata }: PodObject): Destination[] {
  const order = JSON.parse(metadata.annotations!["glovebox.dev/order"]!) as ScanOrder;
  return order.isolation!.canaries.flatMap(({ address, port }) =>
    destinations("the canary", [address], `tcp ${port}`),
  );
}

const outcomesIn = (lines: readonly string[]): Outcomes =>
  Object.fromEntries(
    lines
      .map((line) => JSON.parse(line) as Destination & { outcome: string })
      .map((one) => [nameOf(one), one.outcome]),
  );
const all = (outcome: string, some: readonly Destination[]): Outcomes =>
  Object.fromEntries(some.map((one) => [nameOf(one), outcome]));
const among = (outcomes: Outcomes, some: readonly Destination[]): Outcomes =>
  Object.fromEntries(some.map((one) => [nameOf(one), outcomes[nameOf(one)] ?? "not tried"]));

describe("a program in a scan's pod, while it scans", () => {
  test("is beside a pod without a seal that reaches every place", () => {
    expect(control).toEqual(all("reached", [...pinned, ...forbidden]));
  });

  test("reaches the target at its pinned addresses and port", () => {
    expect(among(inside, pinned)).toEqual(all("reached", pinned));
  });

  test("reaches nothing else: no part of the cluster, no other pod, nothing outside", () => {
    const others = forbidden.filter((one) => !ofItsNode.includes(one)).map(nameOf);
    expect(others.filter((name) => inside[name] === "reached")).toEqual([]);
    expect(Object.keys(inside)).toEqual(expect.arrayContaining(others));
  });

  test(`finds its own node and the kubelet ${NODE}, as is declared of this cluster`, () => {
    const seen = among(inside, ofItsNode);
    process.stdout.write(`A sealed pod and its own node: ${JSON.stringify(seen)}\n`);
    const reached = Object.values(seen).map((outcome) => outcome === "reached");
    expect(reached).toEqual(ofItsNode.map(() => NODE === "reachable"));
    expect(ofItsNode.length).toBeGreaterThan(0);
  });

  test("did so while the scan went on", async () => {
    const before = (await stage.target.requests()).length;
    await until("another request of the scan", async () => (await stage.target.requests()).length > before);
    expect(await stage.statusOf("inside")).toMatchObject({ phase: "Running", attempt: 1 });
  });
});

describe("the pod of a scan", () => {
  let found: Record<"command" | "looked" | "writable" | "environment", string[]> & { hasToken: boolean };
  beforeAll(async () => {
    const where = { namespace: stage.namespace, pod: pod.metadata.name };
    found = JSON.parse((await runInside(where, "writable.mjs"))[0]!);
  });

  test("can write to a folder with a limit, to its termination message, and nowhere else", () => {
    expect(found.command).toContain("/order/order.json");
    expect(found.looked).toEqual(expect.arrayContaining(["/app", "/etc", "/order", "/dev/shm", "/tmp"]));
    expect(found.writable).toEqual(["/dev/termination-log", "/tmp"]);
    const folders = pod.spec.volumes!.filter(({ emptyDir }) => emptyDir);
    expect(folders.map(({ name, emptyDir }) => [name, typeof emptyDir!.sizeLimit])).toEqual([
      ["tmp", "string"],
    ]);
  });

  test("has no token of a service account", () => {
    expect(pod.spec.automountServiceAccountToken).toBe(false);
    expect(found.hasToken).toBe(false);
  });

  test("is not told of Services by its environment, and has no variable of its own", () => {
    expect(pod.spec.enableServiceLinks).toBe(false);
    expect(pod.spec.containers[0]!.env ?? []).toEqual([]);
    // The kubelet tells every pod of the API server's Service, whatever the pod asks for.
    const ofServices = found.environment.filter((name) => /_(SERVICE|PORT)(_|$)/.test(name));
    expect(ofServices.filter((name) => !name.startsWith("KUBERNETES_"))).toEqual([]);
  });
});

test("a pod that asks for more than the level restricted allows is refused in the scans' namespace", async () => {
  const open = { name: "open", image: "example.invalid/open", securityContext: { privileged: true } };
  const run = kubectl(
    ["apply", "-n", stage.namespace, "-f", "-"],
    JSON.stringify({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "open" },
      spec: { hostNetwork: true, containers: [open] },
    }),
  );
  await expect(run).rejects.toThrow(/violates PodSecurity "restricted/);
});

test("a policy of somebody else's that opens everything while the scan runs ends it, and is named", async () => {
  const { phase } = await stage.statusOf("inside");
  expect(phase).toBe("Running");
  await apply({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "somebody-elses", namespace: stage.namespace },
    spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{}] },
  });
  const status = await stage.finished("inside");
  expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_widened" } });
  expect(status.failure!.message).toContain(`NetworkPolicy ${stage.namespace}/somebody-elses`);
  await stage.tidied();
});
