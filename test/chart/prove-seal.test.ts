import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";

const script = fileURLToPath(new URL("../../charts/glovebox/files/prove-seal.mjs", import.meta.url));
const server = createServer((socket) => socket.destroy());
/** A control address that accepts connections: then a refused connection to the canary is not the network's. */
const ACCEPTING = "127.0.0.2";
const accepting = createServer((socket) => socket.destroy());
/** A control address without a route: TCP cannot connect to a multicast address. */
const UNROUTED = "224.0.0.1";
let open: number;
let closed: number;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open = (server.address() as AddressInfo).port;
  closed = await freePort();
  await once(accepting.listen(closed, ACCEPTING), "listening");
});
afterAll(() => {
  server.close();
  accepting.close();
});

interface Network {
  readonly canaryHost?: string;
  readonly apiServerPort?: number;
  /** An address that no host should have. */
  readonly controlAddress?: string;
  readonly kubeletPort?: number;
}

async function prove(expectation: "open" | "sealed", canaryPort: number, network: Network = {}) {
  const { canaryHost = "127.0.0.1", apiServerPort = open, controlAddress = ACCEPTING, kubeletPort } = network;
  const child = spawn(process.execPath, [script], {
    env: {
      EXPECT: expectation,
      CANARY_HOST: canaryHost,
      CANARY_PORT: String(canaryPort),
      KUBERNETES_SERVICE_HOST: "127.0.0.1",
      KUBERNETES_SERVICE_PORT: String(apiServerPort),
      CONTROL_ADDRESS: controlAddress,
      ...(kubeletPort !== undefined && { HOST_IP: "127.0.0.1", KUBELET_PORT: String(kubeletPort) }),
      WAIT_SECONDS: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, output };
}

test("a pod without isolation that reaches the canary and the API server passes as open", async () => {
  expect(await prove("open", open)).toEqual({
    code: 0,
    output:
      "canary 127.0.0.1: connected\nAPI server 127.0.0.1: connected\nAll respond to a pod without isolation.\n",
  });
});

test("a pod that reaches the canary and the API server fails as `sealed`", async () => {
  const { code, output } = await prove("sealed", open);
  expect(code).toBe(1);
  expect(output).toContain(
    "Expected: blocked.\nThe network plugin does not enforce NetworkPolicies, or not yet.\n",
  );
});

test("a canary that refuses connections fails as `open` and as `sealed`", async () => {
  expect((await prove("open", closed)).code).toBe(1);
  const isolated = await prove("sealed", closed);
  expect(isolated.code).toBe(1);
  expect(isolated.output).toContain("canary 127.0.0.1: refused\n");
  expect(isolated.output).toContain("nothing listens there");
});

test("a refused connection without a route to the control address fails, and the message names the missing route", async () => {
  const { code, output } = await prove("sealed", closed, {
    apiServerPort: closed,
    controlAddress: UNROUTED,
  });
  expect(code).toBe(1);
  expect(output).toContain("canary 127.0.0.1: refused, no route\n");
  expect(output).toContain("Scans need nodes with a default route");
  expect(output).not.toContain("does not enforce");
});

test.each<["open" | "sealed", () => number, string]>([
  ["sealed", () => open, "An isolated pod can reach its node's kubelet"],
  ["sealed", () => closed, "An isolated pod cannot reach its node's kubelet"],
  ["open", () => open, "A pod without isolation can reach its node's kubelet"],
])(
  "access of the %s pod to its kubelet is reported and does not change the result",
  async (expectation, port, line) => {
    const canaryPort = expectation === "open" ? open : closed;
    const refused = { apiServerPort: canaryPort, controlAddress: "127.0.0.1" };
    const { code, output } = await prove(expectation, canaryPort, { ...refused, kubeletPort: port() });
    expect(output).toContain(`${line} (127.0.0.1:${port()}).\n`);
    expect(code).toBe(0);
  },
);

test("a network that refuses connections also to the control address passes as `sealed`", async () => {
  const refused = { apiServerPort: closed, controlAddress: "127.0.0.1" };
  expect(await prove("sealed", closed, refused)).toEqual({
    code: 0,
    output: "canary 127.0.0.1: blocked\nAPI server 127.0.0.1: blocked\nThe scan pod is isolated.\n",
  });
  expect((await prove("open", closed, refused)).code).toBe(1);
});

test("a canary whose name does not resolve fails", async () => {
  const { code, output } = await prove("sealed", open, { canaryHost: "canary.invalid" });
  expect(code).toBe(1);
  expect(output).toContain("canary canary.invalid: its name was not found");
});
