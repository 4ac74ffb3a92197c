// A target where anybody may register, sign in, and create, read and delete notes of their own; users delete their account. Prints each
// request, and after each that writes, the number of users and notes that exist.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const { ADDRESS, HOST_NAME, DELAY_MS = "0" } = process.env; // listens on all addresses unless ADDRESS is set
const { https } = JSON.parse(process.env.PORTS);
const body = (...names) => ({
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: names,
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      },
    },
  },
});
const operation = (summary, { needs = [], isPublic = false, status = 200 } = {}) => ({
  summary,
  security: isPublic ? [] : [{ bearer: [] }],
  ...(needs.length > 0 && { requestBody: { required: true, ...body(...needs) } }),
  responses: { [status]: { description: "OK", content: { "application/json": {} } } },
});
const document = {
  openapi: "3.0.3",
  info: { title: "Notes", version: "1" },
  servers: [{ url: `https://${HOST_NAME}/v1` }],
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  paths: {
    "/register": {
      post: operation("Register", { needs: ["email", "password"], isPublic: true, status: 201 }),
    },
    "/login": { post: operation("Sign in", { needs: ["email", "password"], isPublic: true }) },
    "/me": { get: operation("The caller"), delete: operation("Delete the account") },
    "/notes": { get: operation("Notes"), post: operation("Create a note", { needs: ["text"], status: 201 }) },
    "/notes/{noteId}": {
      parameters: [{ name: "noteId", in: "path", required: true, schema: { type: "integer" } }],
      get: operation("A note"),
      delete: operation("Delete a note"),
    },
  },
};

const users = new Map();
const notes = new Map();
let next = 1;

function register({ email, password }) {
  if (!email || !password || users.has(email)) return [422, { error: "refused" }];
  users.set(email, { email, password });
  return [201, { email }];
}
function login({ email, password }) {
  const user = users.get(email);
  return user && user.password === password
    ? [200, { token: `token-of-${email}` }]
    : [401, { error: "refused" }];
}
function create(user, { text }) {
  if (typeof text !== "string") return [422, { error: "refused" }];
  const note = { id: next++, owner: user.email, text };
  notes.set(String(note.id), note);
  return [201, note];
}

const refused = () => [401, { error: "refused" }];
/** What each operation responds to its caller. */
const SIGNED_IN = {
  "GET /v1/me": ({ user }) => [200, { email: user.email }],
  "DELETE /v1/me": ({ user }) => users.delete(user.email) && [204],
  "GET /v1/notes": ({ own }) => [200, own],
  "POST /v1/notes": ({ user, content }) => create(user, content),
  "GET /v1/notes/{id}": ({ note }) => [200, note],
  "DELETE /v1/notes/{id}": ({ note }) => notes.delete(String(note.id)) && [204],
};
const OPEN = {
  "POST /v1/register": ({ content }) => register(content),
  "POST /v1/login": ({ content }) => login(content),
};

function respond(method, path, { user, content }) {
  const [, id] = /^\/v1\/notes\/(\d+)$/.exec(path) ?? [];
  const route = `${method} ${id === undefined ? path : "/v1/notes/{id}"}`;
  if (OPEN[route]) return OPEN[route]({ content });
  if (!user) return refused();
  const own = [...notes.values()].filter(({ owner }) => owner === user.email);
  const note = own.find((each) => String(each.id) === id);
  if (!SIGNED_IN[route] || (id !== undefined && !note)) return [404, { error: "not found" }];
  return SIGNED_IN[route]({ user, content, own, note });
}

function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

const folder = new URL(".", import.meta.url);
const tls = {
  key: readFileSync(new URL("key.pem", folder)),
  cert: readFileSync(new URL("cert.pem", folder)),
};
async function handle(request, response) {
  const { method } = request;
  const path = request.url.split("?")[0].replace(/\/$/, "");
  let text = "";
  for await (const chunk of request) text += chunk;
  const user = users.get(/^Bearer token-of-(.+)$/.exec(request.headers.authorization ?? "")?.[1]);
  process.stdout.write(`${request.socket.remoteAddress} ${method} ${path}\n`);
  setTimeout(() => {
    response.setHeader("content-type", "application/json");
    if (path === "/openapi.json") return response.end(JSON.stringify(document));
    const [status, value] = respond(method, path, { user, content: parsed(text) });
    if (method !== "GET") process.stdout.write(`exist: STATE ${users.size} users, ${notes.size} notes\n`);
    response.statusCode = status;
    response.end(value && JSON.stringify(value));
  }, Number(DELAY_MS));
}

createServer(tls, (request, response) => void handle(request, response)).listen(https, ADDRESS, () =>
  process.stdout.write("listening\n"),
);
