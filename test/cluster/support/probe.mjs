// `probe.mjs DESTINATIONS`: connects by TCP to each destination of the JSON list, or sends it a DNS query by UDP, and prints the
// outcome as a line of JSON: "reached", "timeout" or an error code.
import { createSocket } from "node:dgram";
import { connect } from "node:net";

const TIMEOUT_MS = 4000;
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
  const send = () => socket.send(query, port, address, () => undefined);
  const resend = setInterval(send, TIMEOUT_MS / 4);
  send();
  return outcomeOf(socket, "message").finally(() => (clearInterval(resend), socket.close()));
}

const outcomeOf = (socket, event) =>
  new Promise((resolve) => {
    setTimeout(() => resolve("timeout"), TIMEOUT_MS);
    socket.once(event, () => resolve("reached")).once("error", ({ code }) => resolve(code));
  });

const outcomes = await Promise.all(
  destinations.map(async (one) => ({ ...one, outcome: await (one.protocol === "udp" ? udp : tcp)(one) })),
);
for (const one of outcomes) process.stdout.write(`${JSON.stringify(one)}\n`);
