import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const script = fileURLToPath(new URL("../../charts/glovebox/files/prove-seal.mjs", import.meta.url));
const server = createServer((socket) => socket.destroy());
/** Who is asked for an address of nobody's answers here, so that a refusal elsewhere is not the network's. */
const SOMEBODY = "127.0.0.2";
const somebody = createServer((socket) => socket.destroy());
/** No network leads to it: a multicast address has no connections. */
const UNROUTED = "224.0.0.1";
let open: number;
let closed: number;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open = (server.address() as AddressInfo).port;
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  closed = (other.address() as AddressInfo).port;
  other.close();
  await once(other, "close");
  await once(somebody.listen(closed, SOMEBODY), "listening");
});
afterAll(() => {
  server.close();
  somebody.close();
});

interface Place {
  readonly canaryHost?: string;
  readonly apiServerPort?: number;
  /** An address that no host has. */
  readonly nobody?: string;
  readonly kubeletPort?: number;
}

async function prove(expectation: "open" | "sealed", canaryPort: number, place: Place = {}) {
  const { canaryHost = "127.0.0.1", apiServerPort = open, nobody = SOMEBODY, kubeletPort } = place;
  const child = spawn(process.execPath, [script], {
    env: {
      EXPECT: expectation,
      CANARY_HOST: canaryHost,
      CANARY_PORT: String(canaryPort),
      KUBERNETES_SERVICE_HOST: "127.0.0.1",
      KUBERNETES_SERVICE_PORT: String(apiServerPort),
      NOBODY: nobody,
      ...(kubeletPort !== undefined && { HOST_IP: "127.0.0.1", KUBELET_PORT: String(kubeletPort) }),
      WAIT_SECONDS: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, output };
}

test("An unsealed pod that reaches both passes as open", async () => {
  expect(await prove("open", open)).toEqual({
    code: 0,
    output: "canary 127.0.0.1: connected\nAPI server 127.0.0.1: connected\nAll answer an unsealed pod.\n",
  });
});

test("A pod that reaches both fails as sealed", async () => {
  const { code, output } = await prove("sealed", open);
  expect(code).toBe(1);
  expect(output).toContain(
    "Expected: blocked.\nThe network plugin does not enforce NetworkPolicies, or not yet.\n",
  );
});

test("A canary that refuses is neither open nor sealed", async () => {
  expect((await prove("open", closed)).code).toBe(1);
  const sealed = await prove("sealed", closed);
  expect(sealed.code).toBe(1);
  expect(sealed.output).toContain("canary 127.0.0.1: refused\n");
  expect(sealed.output).toContain("nothing listens there");
});

test("A refusal that cannot be told from a dead canary's, for want of a route, names what is needed", async () => {
  const { code, output } = await prove("sealed", closed, {
    apiServerPort: closed,
    nobody: UNROUTED,
  });
  expect(code).toBe(1);
  expect(output).toContain("canary 127.0.0.1: refused, no route\n");
  expect(output).toContain("Scans need nodes with a default route");
  expect(output).not.toContain("does not enforce");
});

test.each<["open" | "sealed", () => number, string]>([
  ["sealed", () => open, "A sealed pod can reach its node's kubelet"],
  ["sealed", () => closed, "A sealed pod cannot reach its node's kubelet"],
  ["open", () => open, "An unsealed pod can reach its node's kubelet"],
])(
  "Whether the pod, %s, reaches its node is said and changes no verdict",
  async (expectation, port, line) => {
    const canaryPort = expectation === "open" ? open : closed;
    const refused = { apiServerPort: canaryPort, nobody: "127.0.0.1" };
    const { code, output } = await prove(expectation, canaryPort, { ...refused, kubeletPort: port() });
    expect(output).toContain(`${line} (127.0.0.1:${port()}).\n`);
    expect(code).toBe(0);
  },
);

test("A network that refuses at a control address, too, isolates", async () => {
  const refused = { apiServerPort: closed, nobody: "127.0.0.1" };
  expect(await prove("sealed", closed, refused)).toEqual({
    code: 0,
    output: "canary 127.0.0.1: blocked\nAPI server 127.0.0.1: blocked\nThe seal holds.\n",
  });
  expect((await prove("open", closed, refused)).code).toBe(1);
});

test("A canary whose name is unknown proves nothing", async () => {
  const { code, output } = await prove("sealed", open, { canaryHost: "canary.invalid" });
  expect(code).toBe(1);
  expect(output).toContain("canary canary.invalid: not found by its name");
});
