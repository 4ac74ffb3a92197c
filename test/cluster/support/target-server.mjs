// The target of the tests: an API over HTTPS with an OpenAPI document and a few weaknesses. Prints each request, and each client
// of its other port. Its document has an operation for each redirect.
import { createSocket } from "node:dgram";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { createServer as createTcpServer } from "node:net";

const { ADDRESS, HOST_NAME, DELAY_MS = "0" } = process.env; // listens on all addresses unless ADDRESS is set
const redirects = JSON.parse(process.env.REDIRECTS);
const ports = JSON.parse(process.env.PORTS);
const get = (summary) => ({
  get: { summary, responses: { 200: { description: "OK", content: { "application/json": {} } } } },
});
const document = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  servers: [{ url: `https://${HOST_NAME}/v1` }],
  paths: {
    "/orders": get("Orders"),
    "/orders/1": get("An order"),
    "/customers": get("Customers"),
    ...Object.fromEntries(
      Object.keys(redirects).map((path) => [path.replace(/^\/v1/, ""), get("A redirect")]),
    ),
  },
};
const bodies = {
  "/openapi.json": document,
  "/v1": { name: "shop" },
  "/v1/orders": [{ id: 1, total: 12 }],
  "/v1/orders/1": { id: 1, total: 12, card: "4111111111111111" },
  "/v1/customers": [{ id: 1, name: "Ann", email: "ann@shop.example", password: "hunter2" }],
};

const folder = new URL(".", import.meta.url);
const tls = {
  key: readFileSync(new URL("key.pem", folder)),
  cert: readFileSync(new URL("cert.pem", folder)),
};
createServer(tls, (request, response) => {
  const path = request.url.split("?")[0].replace(/\/$/, "");
  process.stdout.write(`${request.socket.remoteAddress} ${request.method} ${path}\n`);
  const body = bodies[path];
  const location = redirects[path];
  setTimeout(() => {
    if (location) return response.writeHead(307, { location }).end();
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { error: "not found" }));
  }, Number(DELAY_MS));
}).listen(ports.https, ADDRESS, () => process.stdout.write("listening\n"));

const printOther = (client) => void process.stdout.write(`other-port ${client}\n`);
const tcp = createTcpServer(
  (socket) => (printOther(socket.remoteAddress), socket.on("error", () => {}).end()),
);
tcp.listen(ports.other, ADDRESS, () => {
  const udp = createSocket(tcp.address().family === "IPv6" ? "udp6" : "udp4");
  udp.on("message", (message, { address, port }) => (printOther(address), udp.send(message, port, address)));
  udp.bind(ports.other, ADDRESS);
});
