// Run by `helm test`. EXPECT=sealed: name lookups work, and neither the canaries nor the API server can be reached.
// EXPECT=open: all can be reached, which shows that only the network policy blocks the sealed pod.
// A refusal counts as blocked if the network also refuses at an unassigned control address (docs/adr/0005).
import { lookup } from "node:dns/promises";
import { connect, isIPv6 } from "node:net";

const { EXPECT, CANARY_HOST, CANARY_PORT, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env;
const { HOST_IP, KUBELET_PORT = "10250" } = process.env;
/** Of TEST-NET-1 (RFC 5737) and of the discard-only prefix (RFC 6666). */
const { CONTROL_ADDRESS = "192.0.2.1", CONTROL_ADDRESS6 = "100::1" } = process.env;
const deadline = Date.now() + Number(process.env.WAIT_SECONDS) * 1000;
const wanted = EXPECT === "sealed" ? "blocked" : "connected";

const say = (line) => void process.stdout.write(`${line}\n`);

/** The explanation of each outcome other than "blocked". */
const REASONS = {
  connected: "The network plugin does not enforce NetworkPolicies, or not yet.",
  refused:
    "The connection was refused, but not at the control address: nothing listens there, or a firewall rejects it.",
  "refused, no route":
    "The connection was refused, either by a network plugin that rejects denied packets, or by a canary that has crashed. They can be distinguished at an unassigned control address, to which this node has no route. Scans need nodes with a default route where the plugin rejects (docs/kubernetes.md, Plugins that reject).",
  "its name was not found": "The name was not found: cluster DNS, or the Service of the canaries.",
};

const PASSED = { blocked: "The scan pod is isolated.", connected: "All respond to a pod without isolation." };

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
  const control = await reach(isIPv6(host) ? CONTROL_ADDRESS6 : CONTROL_ADDRESS, port);
  if (control === "refused") return "blocked";
  return control === "no route" ? "refused, no route" : "refused";
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
    seen.push({ name: "canary", host: CANARY_HOST, outcome: "its name was not found" });
  return seen;
}

/** Whether a policy separates a pod from its own node depends on the plugin: this is reported, not a failure. */
async function reportKubelet() {
  const can = (await reach(HOST_IP, KUBELET_PORT)) === "connected" ? "can" : "cannot";
  const pod = EXPECT === "sealed" ? "An isolated pod" : "A pod without isolation";
  const host = isIPv6(HOST_IP) ? `[${HOST_IP}]` : HOST_IP;
  say(`${pod} ${can} reach its node's kubelet (${host}:${KUBELET_PORT}).`);
}

function explanations(seen) {
  const unexpected = new Set(seen.map(({ outcome }) => outcome).filter((outcome) => outcome !== wanted));
  const reasons = EXPECT === "sealed" ? [...unexpected].map((outcome) => REASONS[outcome]) : [];
  return [`Expected: ${wanted}.`, ...reasons];
}

for (;;) {
  const seen = await observe();
  const holds = seen.every(({ outcome }) => outcome === wanted);
  if (holds || Date.now() >= deadline) {
    for (const { name, host, outcome } of seen) say(`${name} ${host}: ${outcome}`);
    if (HOST_IP) await reportKubelet();
    for (const line of holds ? [PASSED[wanted]] : explanations(seen)) say(line);
    process.exit(holds ? 0 : 1);
  }
  await new Promise((resume) => setTimeout(resume, 500));
}
