// Run by `helm test`. EXPECT=sealed: name lookups work, and neither the canaries nor the API server can be reached.
// EXPECT=open: all can be reached, so that what the sealed pod sees is the network policy's doing and nothing else's.
// A refusal counts as blocked if the network also refuses at an unassigned control address (docs/adr/0005).
import { lookup } from "node:dns/promises";
import { connect, isIPv6 } from "node:net";

const { EXPECT, CANARY_HOST, CANARY_PORT, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env;
const { HOST_IP, KUBELET_PORT = "10250" } = process.env;
/** Of TEST-NET-1 (RFC 5737) and of the discard-only prefix (RFC 6666). */
const { NOBODY = "192.0.2.1", NOBODY6 = "100::1" } = process.env;
const deadline = Date.now() + Number(process.env.WAIT_SECONDS) * 1000;
const wanted = EXPECT === "sealed" ? "blocked" : "connected";

const say = (line) => void process.stdout.write(`${line}\n`);

/** The explanation of each outcome other than "blocked". */
const REASONS = {
  connected: "The network plugin does not enforce NetworkPolicies, or not yet.",
  refused:
    "It refused, but the control address did not: nothing listens there, or a firewall in between refuses.",
  "refused, no route":
    "It refused, which a network plugin that rejects what policies forbid does as well as a canary that died. They could be told apart at an address that nobody has, to which this node has no route. Scans need nodes with a default route where the plugin rejects (docs/kubernetes.md, Plugins that reject).",
  "not found by its name": "The name was not found: cluster DNS, or the Service of the canaries.",
};

const HOLDS = { blocked: "The seal holds.", connected: "All answer an unsealed pod." };

function reach(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 3000 });
    const end = (outcome) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once("connect", () => end("connected"));
    socket.once("timeout", () => end("blocked"));
    socket.once("error", ({ code }) => end(OUTCOMES[code] ?? "blocked"));
  });
}
const OUTCOMES = { ECONNREFUSED: "refused", ENETUNREACH: "no route" };

async function judge(host, port) {
  const outcome = await reach(host, port);
  if (outcome === "no route") return "blocked";
  if (EXPECT !== "sealed" || outcome !== "refused") return outcome;
  const nobody = await reach(isIPv6(host) ? NOBODY6 : NOBODY, port);
  if (nobody === "refused") return "blocked";
  return nobody === "no route" ? "refused, no route" : "refused";
}

/** One observation: all connections at the same time, so that the network does not change in between. */
async function observe() {
  const canaries = await lookup(CANARY_HOST, { all: true }).catch(() => []);
  const targets = canaries.map(({ address }) => ["canary", address, CANARY_PORT]);
  targets.push(["API server", KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT]);
  const seen = await Promise.all(
    targets.map(async ([name, host, port]) => ({ name, host, outcome: await judge(host, port) })),
  );
  if (canaries.length === 0)
    seen.push({ name: "canary", host: CANARY_HOST, outcome: "not found by its name" });
  return seen;
}

/** Whether a policy separates a pod from its own node depends on the plugin. This is reported, and is no failure. */
async function tellOfNode() {
  const can = (await reach(HOST_IP, KUBELET_PORT)) === "connected" ? "can" : "cannot";
  const pod = EXPECT === "sealed" ? "A sealed pod" : "An unsealed pod";
  const host = isIPv6(HOST_IP) ? `[${HOST_IP}]` : HOST_IP;
  say(`${pod} ${can} reach its node's kubelet (${host}:${KUBELET_PORT}).`);
}

function complaints(seen) {
  const unexpected = new Set(seen.map(({ outcome }) => outcome).filter((outcome) => outcome !== wanted));
  const reasons = EXPECT === "sealed" ? [...unexpected].map((outcome) => REASONS[outcome]) : [];
  return [`Expected: ${wanted}.`, ...reasons];
}

for (;;) {
  const seen = await observe();
  const holds = seen.every(({ outcome }) => outcome === wanted);
  if (holds || Date.now() >= deadline) {
    for (const { name, host, outcome } of seen) say(`${name} ${host}: ${outcome}`);
    if (HOST_IP) await tellOfNode();
    for (const line of holds ? [HOLDS[wanted]] : complaints(seen)) say(line);
    process.exit(holds ? 0 : 1);
  }
  await new Promise((resume) => setTimeout(resume, 500));
}
