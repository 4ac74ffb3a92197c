// A target that wants a caller: without `Authorization` or the cookie `session` it returns 401, and with either, it returns the
// credential in the body, in a header, in base64 and URL-encoded in a redirect. `POST /login` gives a token. Prints each request, and
// whether its caller was signed in.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const { ADDRESS, HOST_NAME, DELAY_MS = "0" } = process.env; // listens on all addresses unless ADDRESS is set
const { https } = JSON.parse(process.env.PORTS);
const get = (summary) => ({
  get: {
    summary,
    security: [{ bearer: [] }],
    responses: { 200: { description: "OK", content: { "application/json": {} } } },
  },
});
const document = {
  openapi: "3.0.3",
  info: { title: "Members", version: "1" },
  servers: [{ url: `https://${HOST_NAME}/v1` }],
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  paths: { "/me": get("The caller"), "/orders": get("Orders"), "/home": get("A redirect") },
};
const handlers = {
  "/v1/me": (response, credential) => {
    response.setHeader("x-credential", credential);
    response.end(JSON.stringify({ credential, encoded: Buffer.from(credential).toString("base64") }));
  },
  "/v1/orders": (response) => response.end(JSON.stringify([{ id: 1, total: 12 }])),
  "/v1/home": (response, credential) => {
    response.writeHead(302, { location: `/v1/me?credential=${encodeURIComponent(credential)}` });
    response.end();
  },
};

const folder = new URL(".", import.meta.url);
const tls = {
  key: readFileSync(new URL("key.pem", folder)),
  cert: readFileSync(new URL("cert.pem", folder)),
};
createServer(tls, (request, response) => {
  const path = request.url.split("?")[0].replace(/\/$/, "");
  const { authorization, cookie = "" } = request.headers;
  const credential = authorization ?? /\bsession=([^;]+)/.exec(cookie)?.[1];
  const caller = credential ? "signed-in" : "anonymous";
  process.stdout.write(`${request.socket.remoteAddress} ${request.method} ${path} ${caller}\n`);
  setTimeout(() => {
    response.setHeader("content-type", "application/json");
    if (path === "/openapi.json") return response.end(JSON.stringify(document));
    if (/^(\/v1)?\/login$/.test(path) && request.method === "POST")
      return response.end(JSON.stringify({ token: "of-login" }));
    response.statusCode = credential ? (handlers[path] ? 200 : 404) : 401;
    if (response.statusCode !== 200) return response.end(JSON.stringify({ error: "refused" }));
    handlers[path](response, credential);
  }, Number(DELAY_MS));
}).listen(https, ADDRESS, () => process.stdout.write("listening\n"));
