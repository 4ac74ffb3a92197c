import { randomBytes } from "node:crypto";
import { scanOrderSchema, type ScanOrder } from "@glovebox/contract";
import { type Outcome } from "@glovebox/scan-run";
import { outcomeOf } from "@glovebox/scan-run/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressesForPods } from "./support/controller.ts";
import { podOf, RESTRICTED, SCANNER_IMAGE } from "./support/node-program.ts";
import { apply, createNamespace, kubectl } from "./support/kubectl.ts";
import { listenInProcess, type Listener } from "./support/listeners.ts";

// Scanners in a namespace without policies. With no order may they find their isolation proven.
const namespace = `glovebox-test-refusal-${randomBytes(4).toString("hex")}`;

let target: Listener;
/** The port of a canary that has exited: connections are refused. */
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

/** Runs the scanner with this isolation order in a pod, and returns its outcome. */
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

/** Endpoints on this machine, one for each address family of the pods. */
const at = (port: number) => target.addresses.map((address) => ({ address, port }));
const controlEndpointsAt = (port: number) => ["192.0.2.1", "100::1"].map((address) => ({ address, port }));

test("a refused connection to a dead canary proves nothing if connections to the control addresses are not refused", async () => {
  const order = {
    canaries: at(closedPort),
    controlEndpoints: controlEndpointsAt(closedPort),
    waitSeconds: 3,
  };
  const outcome = await scan("dead-canary", order);
  expect(outcome).toMatchObject({ status: "failed", failure: { code: "isolation_not_proven" } });
  const { failure } = outcome as Extract<Outcome, { status: "failed" }>;
  expect(failure.reason).toBe("CanaryRefused");
  expect(failure.message).toContain("default route");
});

test("refused connections to the control addresses prove nothing if the canary accepts connections", async () => {
  const order = { canaries: at(target.port), controlEndpoints: at(closedPort), waitSeconds: 3 };
  const outcome = await scan("reachable-canary", order);
  expect(outcome).toMatchObject({ status: "failed", failure: { code: "isolation_not_proven" } });
  const { failure } = outcome as Extract<Outcome, { status: "failed" }>;
  expect(failure.reason).toBe("CanaryReachable");
});

test("a canary without an address in each address family of the pod proves nothing", async () => {
  if (target.addresses.length < 2) return void process.stdout.write("Left out: pods of one family.\n");
  const order = { canaries: at(closedPort).slice(0, 1), controlEndpoints: at(closedPort), waitSeconds: 3 };
  const outcome = await scan("one-family", order);
  expect(outcome).toMatchObject({ status: "failed", failure: { code: "isolation_not_proven" } });
  const { failure } = outcome as Extract<Outcome, { status: "failed" }>;
  expect(failure.reason).toBe("CanaryFamilyMissing");
});

test("a network that refuses connections to the canary and to the control addresses counts as isolation, and the scan starts", async () => {
  const outcome = await scan("refusing-network", {
    canaries: at(closedPort),
    controlEndpoints: at(closedPort),
    waitSeconds: 3,
  });
  // The target does not support TLS, so the scan fails there, after the isolation check.
  expect(outcome).toMatchObject({
    status: "failed",
    failure: { code: expect.stringMatching(/tls|connection|target/) },
  });
});
