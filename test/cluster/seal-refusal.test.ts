import { randomBytes } from "node:crypto";
import { isolationCauseOf, scanOrderSchema, type Outcome, type ScanOrder } from "@glovebox/contract";
import { outcomeOf } from "@glovebox/contract/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressesForPods } from "./support/controller.ts";
import { podOf, RESTRICTED, SCANNER_IMAGE } from "./support/node-program.ts";
import { apply, createNamespace, kubectl } from "./support/kubectl.ts";
import { listenInProcess, type Listener } from "./support/listeners.ts";

// Scanners in a namespace without any policy: whatever they are told, they must not take themselves for sealed.
const namespace = `glovebox-test-refusal-${randomBytes(4).toString("hex")}`;

let target: Listener;
/** Of a canary that has died: its address refuses. */
let closedPort: number;
beforeAll(async () => {
  await createNamespace(namespace);
  const addresses = await addressesForPods();
  target = await listenInProcess(addresses);
  const canary = await listenInProcess(addresses);
  closedPort = canary.port;
  await canary.close();
});
afterAll(async () => {
  await target?.close();
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
});

/** Runs the scanner with this order for its isolation, and gives what came of it. */
async function scan(name: string, isolation: ScanOrder["isolation"]): Promise<Outcome> {
  const [address] = target.addresses;
  const order = scanOrderSchema.parse({
    scanId: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
    url: `https://${address}:${target.port}/`,
    pins: [{ host: address, addresses: [address], ports: [target.port] }],
    isolation,
    limits: { deadlineSeconds: 60, maxRequests: 10 },
  });
  const metadata = { name, namespace };
  const scanner = {
    image: SCANNER_IMAGE,
    imagePullPolicy: "IfNotPresent",
    args: ["--order", "/order/order.json"],
    securityContext: RESTRICTED,
    volumeMounts: [{ name: "order", mountPath: "/order" }],
  };
  await apply(
    { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "order.json": JSON.stringify(order) } },
    podOf(metadata, scanner, { volumes: [{ name: "order", configMap: { name } }] }),
  );
  await kubectl([
    ...["wait", `pod/${name}`, "-n", namespace, "--for=jsonpath={.status.phase}=Succeeded", "--timeout=120s"],
  ]);
  return outcomeOf((await kubectl(["logs", name, "-n", namespace])).split("\n"));
}

/** At each address that pods reach this machine by: one in each of their families. */
const at = (port: number) => target.addresses.map((address) => ({ address, port }));
const controlEndpointsAt = (port: number) => ["192.0.2.1", "100::1"].map((address) => ({ address, port }));

test("a canary that died and refuses is no proof, as nothing refuses at the control addresses", async () => {
  const order = {
    canaries: at(closedPort),
    controlEndpoints: controlEndpointsAt(closedPort),
    waitSeconds: 3,
  };
  const outcome = await scan("dead-canary", order);
  expect(outcome).toMatchObject({ status: "failed", failure: { code: "isolation_not_proven" } });
  const { failure } = outcome as Extract<Outcome, { status: "failed" }>;
  expect(isolationCauseOf(failure)).toBe("CanaryRefused");
  expect(failure.message).toContain("default route");
});

test("a network that refuses is no proof beside a canary that answers", async () => {
  const order = { canaries: at(target.port), controlEndpoints: at(closedPort), waitSeconds: 3 };
  const outcome = await scan("living-canary", order);
  expect(outcome).toMatchObject({ status: "failed", failure: { code: "isolation_not_proven" } });
  const { failure } = outcome as Extract<Outcome, { status: "failed" }>;
  expect(isolationCauseOf(failure)).toBe("CanaryReachable");
});

test("a canary without an address of a family that the pod has is no proof", async () => {
  if (target.addresses.length < 2) return void process.stdout.write("Left out: pods of one family.\n");
  const order = { canaries: at(closedPort).slice(0, 1), controlEndpoints: at(closedPort), waitSeconds: 3 };
  const outcome = await scan("half-a-canary", order);
  expect(outcome).toMatchObject({ status: "failed", failure: { code: "isolation_not_proven" } });
  const { failure } = outcome as Extract<Outcome, { status: "failed" }>;
  expect(isolationCauseOf(failure)).toBe("CanaryFamilyMissing");
});

test("a network that refuses at the canary and at the control addresses lets the scan go on to its target", async () => {
  const outcome = await scan("refusing-network", {
    canaries: at(closedPort),
    controlEndpoints: at(closedPort),
    waitSeconds: 3,
  });
  // The target here speaks no HTTPS: the scan fails on that, and not before.
  expect(outcome).toMatchObject({
    status: "failed",
    failure: { code: expect.stringMatching(/tls|connection|target/) },
  });
});
