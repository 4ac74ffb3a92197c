// `listener.mjs PORT [ADDRESS…]`: listens there by TCP and UDP, at all addresses when none is named, answers whoever
// calls, and prints a line for each: protocol and caller.
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

const [port, ...addresses] = process.argv.filter((argument) => /^[\da-f.:]+$/i.test(argument));
const say = (line) => void process.stdout.write(`${line}\n`);

const listening = (server) =>
  new Promise((resolve, reject) => server.once("error", reject).once("listening", resolve));

async function listen(port, address) {
  const tcp = createServer((socket) => {
    say(`tcp ${socket.remoteAddress}`);
    socket.on("error", () => undefined).end("here\n");
  });
  tcp.listen({ port, ...(address && { host: address }) });
  await listening(tcp);
  const udp = createSocket((address ?? tcp.address().address).includes(":") ? "udp6" : "udp4");
  udp.on("message", (message, caller) => {
    say(`udp ${caller.address}`);
    udp.send(message, caller.port, caller.address);
  });
  udp.bind({ port: tcp.address().port, ...(address && { address }) });
  await listening(udp);
  return tcp.address().port;
}

// A free port that was found at the first address is taken at the others, too.
const bound = await listen(Number(port), addresses[0]);
for (const address of addresses.slice(1)) await listen(bound, address);
say(`listening ${bound}`);
