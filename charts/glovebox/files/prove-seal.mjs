// Run by `helm test`. EXPECT=sealed: name lookups work, and neither the canary nor the API server can be reached.
// EXPECT=open: both can be reached, so that what the sealed pod sees is the network policy's doing and nothing else's.
// A refusal counts as blocked where the network refuses at an address that nobody has, too: then it is the network's.
import { lookup } from "node:dns/promises";
import { connect, isIPv6 } from "node:net";

const { EXPECT, CANARY_HOST, CANARY_PORT, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env;
/** Of TEST-NET-1 (RFC 5737) and of the discard-only prefix (RFC 6666). */
const { NOBODY = "192.0.2.1", NOBODY6 = "100::1" } = process.env;
const deadline = Date.now() + Number(process.env.WAIT_SECONDS) * 1000;
const wanted = EXPECT === "sealed" ? "blocked" : "connected";

const say = (line) => void process.stdout.write(`${line}\n`);

function reach(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 3000 });
    const end = (outcome) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once("connect", () => end("connected"));
    socket.once("timeout", () => end("blocked"));
    socket.once("error", ({ code }) => end(code === "ECONNREFUSED" ? "refused" : "blocked"));
  });
}

async function judge(host, port) {
  const outcome = await reach(host, port);
  if (EXPECT !== "sealed" || outcome !== "refused") return outcome;
  return (await reach(isIPv6(host) ? NOBODY6 : NOBODY, port)) === "refused" ? "blocked" : outcome;
}

/** One observation: all at the same time, so that no change of the network comes between. */
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

for (;;) {
  const seen = await observe();
  const holds = seen.every(({ outcome }) => outcome === wanted);
  const isOver = holds || Date.now() >= deadline;
  if (isOver) for (const { name, host, outcome } of seen) say(`${name} ${host}: ${outcome}`);
  if (holds) say(EXPECT === "sealed" ? "The seal holds." : "Both answer an unsealed pod.");
  else if (isOver) say(`Expected: ${wanted}. Does the network plugin enforce NetworkPolicies?`);
  if (isOver) process.exit(holds ? 0 : 1);
  await new Promise((resume) => setTimeout(resume, 500));
}
