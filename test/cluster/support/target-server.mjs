// The target of the tests, in a pod: an API over HTTPS with an OpenAPI document and a few weaknesses. Prints each request.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const { HOST_NAME, DELAY_MS = "0" } = process.env;
const get = (summary) => ({
  get: { summary, responses: { 200: { description: "OK", content: { "application/json": {} } } } },
});
const document = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  servers: [{ url: `https://${HOST_NAME}/v1` }],
  paths: { "/orders": get("Orders"), "/orders/1": get("An order"), "/customers": get("Customers") },
};
const answers = {
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
  const body = answers[path];
  setTimeout(() => {
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { error: "not found" }));
  }, Number(DELAY_MS));
}).listen(443);
