// `listener.mjs PORT [ADDRESS…]`: listens on TCP and UDP, by default on all addresses, responds to each client, and prints the
// protocol and the address of each client as a line.
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

const [port, ...addresses] = process.argv.filter((argument) => /^[\da-f.:]+$/i.test(argument));
const print = (line) => void process.stdout.write(`${line}\n`);

const listening = (server) =>
  new Promise((resolve, reject) => server.once("error", reject).once("listening", resolve));

async function listen(port, address) {
  const tcp = createServer((socket) => {
    print(`tcp ${socket.remoteAddress}`);
    socket.on("error", () => undefined).end("here\n");
  });
  tcp.listen({ port, ...(address && { host: address }) });
  await listening(tcp);
  const udp = createSocket((address ?? tcp.address().address).includes(":") ? "udp6" : "udp4");
  udp.on("message", (message, client) => {
    print(`udp ${client.address}`);
    udp.send(message, client.port, client.address);
  });
  udp.bind({ port: tcp.address().port, ...(address && { address }) });
  await listening(udp);
  return tcp.address().port;
}

// The port of the first address is also used for the others.
const bound = await listen(Number(port), addresses[0]);
for (const address of addresses.slice(1)) await listen(bound, address);
print(`listening ${bound}`);
