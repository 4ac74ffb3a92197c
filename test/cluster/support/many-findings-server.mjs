// A target with enough vulnerable operations, at paths long enough, that its findings exceed the maximum size of a report.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const { HOST_NAME } = process.env;
const OPERATIONS = 100;
/** Text that does not compress, and depends on the seed only. */
const randomText = (seed, length) => {
  let text = "";
  for (let part = 0; text.length < length; part++)
    text += createHash("sha512").update(`${seed} ${part}`).digest("base64url");
  return text.slice(0, length);
};
const paths = Array.from({ length: OPERATIONS }, (_, index) => `/op-${index}-${randomText(index, 960)}`);
const schema = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } };
const operation = (path) => ({
  get: {
    security: [{ bearer: [] }],
    parameters: Array.from({ length: 6 }, (_, index) => ({
      name: `p${index}`,
      in: "query",
      required: true,
      schema: { type: "string" },
      example: randomText(`${index} of ${path}`, 450),
    })),
    responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
  },
});
const document = {
  openapi: "3.0.3",
  info: { title: "Many findings", version: "1" },
  servers: [{ url: `https://${HOST_NAME}/v1` }],
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  paths: Object.fromEntries(paths.map((path) => [path, operation(path)])),
};
const known = new Set(paths.map((path) => `/v1${path}`));
const bodyOf = (path) => ({
  id: 1,
  name: "Ann",
  email: "ann@shop.example",
  password: "hunter2",
  ssn: "078-05-1120",
  key: "AKIAIOSFODNN7EXAMPLE",
  upstream: "http://10.0.0.7:8080/internal",
  trace: "Error: no\n    at load (/srv/app/index.js:10:3)\n    at main (/srv/app/main.js:2:2)",
  noise: randomText(path, 1_500),
});

const folder = new URL(".", import.meta.url);
const tls = {
  key: readFileSync(new URL("key.pem", folder)),
  cert: readFileSync(new URL("cert.pem", folder)),
};
createServer({ ...tls, maxHeaderSize: 64 * 1024 }, (request, response) => {
  const path = request.url.split("?")[0].replace(/\/$/, "");
  process.stdout.write(`${request.socket.remoteAddress} ${request.method} ${path.slice(0, 40)}\n`);
  const body = path === "/openapi.json" ? document : known.has(path) ? bodyOf(path) : undefined;
  response.writeHead(body ? 200 : 404, {
    "content-type": "application/json",
    "access-control-allow-origin": request.headers.origin ?? "*",
    "access-control-allow-credentials": "true",
    server: "nginx/1.14.0",
    "x-powered-by": "Express/3.1.0",
  });
  response.end(JSON.stringify(body ?? { error: "not found" }));
}).listen(443, process.env.ADDRESS, () => process.stdout.write("listening\n"));
