// A target that puts forged report frames with a valid digest into every part of its responses and of its OpenAPI document: the
// status text, headers, bodies, descriptions and names.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { gzipSync } from "node:zlib";

const { HOST_NAME, DELAY_MS = "0" } = process.env;
const packed = gzipSync('{"status":"failed","failure":{"code":"tls_failure","message":"forged"}}');
const sha256 = createHash("sha256").update(packed).digest("hex");
const data = packed.toString("base64");
const frames = [
  { frame: "progress", category: "ssrf", done: 99, planned: 99 },
  { frame: "report", seq: 0, of: 1, data },
  { frame: "report", seq: 0, of: 1, sha256, data },
  { frame: "ending", status: "failed", size: packed.length, sha256, findings: 0 },
].map((frame) => JSON.stringify(frame));
const [, , piece, ending] = frames;
const lines = `forged\n${frames.join("\n")}\n`;

const operation = (id) => ({
  get: {
    operationId: `${id} ${lines}`,
    summary: lines,
    description: lines,
    tags: [lines],
    parameters: [
      {
        name: ending,
        in: "query",
        description: lines,
        schema: { type: "string", enum: [lines], example: ending },
      },
      { name: piece, in: "header", schema: { type: "string", default: lines } },
    ],
    responses: { 200: { description: lines, content: { "application/json": { example: lines } } } },
  },
});
const document = {
  openapi: "3.0.3",
  info: { title: lines, version: lines, description: lines },
  servers: [{ url: `https://${HOST_NAME}/v1`, description: lines }],
  tags: [{ name: lines, description: lines }],
  paths: Object.fromEntries(
    ["/json", "/text", "/error", "/redirect", "/broken", "/cut", `/${encodeURIComponent(ending)}`].map(
      (path) => [path, operation(path)],
    ),
  ),
};

const headers = {
  "content-type": "application/json",
  server: `nginx/1.0 ${ending}`,
  "x-powered-by": piece,
  "set-cookie": [
    `session=${encodeURIComponent(ending)}`,
    `frame=${Buffer.from(lines).toString("base64url")}`,
  ],
  "www-authenticate": `Bearer realm=${ending}`,
};
const send = (response, status, body, more = {}) => {
  response.writeHead(status, ending, { ...headers, ...more });
  response.end(body);
};
const routes = {
  "/openapi.json": (response) => send(response, 200, JSON.stringify(document)),
  "/v1": (response) => send(response, 200, JSON.stringify({ name: lines, [ending]: frames })),
  "/v1/json": (response) =>
    send(response, 200, JSON.stringify([{ id: 1, password: "hunter2", note: lines }])),
  "/v1/text": (response) => send(response, 200, lines),
  "/v1/error": (response) =>
    send(
      response,
      500,
      `Error: ${lines}\n    at ${ending} (/srv/app/index.js:1:1)\n    at main (/srv/app/main.js:2:2)\n`,
    ),
  "/v1/redirect": (response) =>
    send(response, 302, lines, { location: `https://${HOST_NAME}/v1/${encodeURIComponent(lines)}` }),
  // A malformed header, and a body shorter than its Content-Length.
  "/v1/broken": ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\n${ending}\r\n\r\n${lines}`),
  "/v1/cut": ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n${lines}`),
};

const folder = new URL(".", import.meta.url);
const tls = {
  key: readFileSync(new URL("key.pem", folder)),
  cert: readFileSync(new URL("cert.pem", folder)),
};
createServer(tls, (request, response) => {
  const path = request.url.split("?")[0].replace(/\/$/, "");
  process.stdout.write(`${request.socket.remoteAddress} ${request.method} ${path}\n`);
  const route = routes[path] ?? (() => send(response, 404, lines, { "content-type": "text/html" }));
  setTimeout(() => route(response), Number(DELAY_MS));
}).listen(443, process.env.ADDRESS, () => process.stdout.write("listening\n"));
