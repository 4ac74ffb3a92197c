// `probe.mjs DESTINATIONS`: tries each destination of the JSON list, by TCP or with a DNS query by UDP, and prints what
// came of it as a line of JSON: "reached", or why not.
import { createSocket } from "node:dgram";
import { connect } from "node:net";

const PATIENCE_MS = 4000;
const destinations = JSON.parse(process.argv.at(-1));

/** A query for the address of kubernetes.default.svc.cluster.local. */
const query = Buffer.concat([
  Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
  ...["kubernetes", "default", "svc", "cluster", "local"].map((label) =>
    Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]),
  ),
  Buffer.from([0, 0, 1, 0, 1]),
]);

async function tcp({ address, port }) {
  const socket = connect({ host: address, port });
  return outcomeOf(socket, "connect").finally(() => socket.destroy());
}

async function udp({ address, port }) {
  const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
  const ask = () => socket.send(query, port, address, () => undefined);
  const again = setInterval(ask, PATIENCE_MS / 4);
  ask();
  return outcomeOf(socket, "message").finally(() => (clearInterval(again), socket.close()));
}

const outcomeOf = (socket, event) =>
  new Promise((resolve) => {
    setTimeout(() => resolve("timeout"), PATIENCE_MS);
    socket.once(event, () => resolve("reached")).once("error", ({ code }) => resolve(code));
  });

const outcomes = await Promise.all(
  destinations.map(async (one) => ({ ...one, outcome: await (one.protocol === "udp" ? udp : tcp)(one) })),
);
for (const one of outcomes) process.stdout.write(`${JSON.stringify(one)}\n`);
