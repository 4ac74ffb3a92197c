import type { Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byPath, notFound, type Row } from "../row.ts";

const TRACE =
  "TypeError: no number\n    at find (/srv/app/rooms.js:10:5)\n    at next (/srv/app/main.js:3:1)";
const readers = ["Ada King", "Grace Hopper", "Mary Ward"].map((name, id) => ({
  id,
  name,
  email: `${name.split(" ")[0]!.toLowerCase()}@readers.test`,
}));
const html = { "content-type": "text/html" };

const origins =
  (reflecting: boolean): Route =>
  ({ headers }) => ({
    json: { theme: "dark" },
    headers: {
      "set-cookie": "preference=dark; Path=/; Secure; HttpOnly; SameSite=Lax",
      "access-control-allow-origin": reflecting ? (headers.origin ?? "null") : "https://library.test",
      "access-control-allow-credentials": "true",
    },
  });

export const dataExposureRows: readonly Row[] = [
  {
    checks: ["bola-authorization/personal-object"],
    at: "GET /borrowers/{username}",
    document: {
      "/borrowers/{username}": {
        get: { parameters: [{ name: "username", in: "path", required: true, schema: { type: "string" } }] },
      },
    },
    weak: {
      "GET /borrowers/{username}": byPath((name) =>
        name === "admin"
          ? { json: { username: name, email: "ines@borrowers.test", phoneNumber: "+41 44 123 45 67" } }
          : notFound,
      ),
    },
    safe: {
      "GET /borrowers/{username}": byPath((name) =>
        name === "admin" ? { json: { username: name, books: 4 } } : notFound,
      ),
    },
  },
  {
    checks: ["data-exposure/cors"],
    at: "GET /preferences",
    document: { "/preferences": { get: {} } },
    weak: { "GET /preferences": origins(true) },
    safe: { "GET /preferences": origins(false) },
  },
  {
    checks: ["data-exposure/exposed-spring-env"],
    at: "GET /actuator/env",
    weak: { "GET /actuator/env": { json: { activeProfiles: [], propertySources: [] } } },
    safe: { "GET /actuator/health": { json: { status: "UP" } } },
  },
  {
    checks: ["data-exposure/exposed-environment"],
    at: "GET /env",
    weak: {
      "GET /env": { json: { PATH: "/usr/bin:/bin", NODE_ENV: "production", DB_PASSWORD: "password" } },
    },
    safe: { "GET /env": { json: { theme: "dark", csrfToken: "vr7Zq81xKw03aa", path: "/files/(.*)" } } },
  },
  {
    checks: ["data-exposure/exposed-environment-file"],
    at: "GET /.env",
    weak: { "GET /.env": { body: "APP_ENV=production\nDB_HOST=db\nDB_PASSWORD=q7Rt2LkV\n" } },
    safe: { "GET /.env": { headers: html, body: "<html><h1>Settings</h1>" } },
  },
  {
    checks: ["data-exposure/exposed-git-head"],
    at: "GET /.git/HEAD",
    weak: { "GET /.git/HEAD": { body: "ref: refs/heads/main\n" } },
    safe: {},
  },
  {
    checks: ["data-exposure/internal-addresses"],
    at: "GET /about",
    document: { "/about": { get: {} } },
    weak: { "GET /about": { json: { storage: "10.20.0.15:5432" } } },
    safe: { "GET /about": { json: { storage: "primary" } } },
  },
  {
    checks: ["data-exposure/personal-data-lists", "property-authorization/sensitive-fields-anonymous"],
    at: "GET /readers",
    document: { "/readers": { get: {} } },
    weak: { "GET /readers": { json: { readers } } },
    safe: { "GET /readers": { json: { readers: readers.map(({ id }) => ({ id })) } } },
  },
  {
    checks: ["data-exposure/secrets-in-answers", "property-authorization/sensitive-fields-anonymous"],
    at: "GET /status",
    document: { "/status": { get: {} } },
    weak: { "GET /status": { json: { database: "postgres://app:q7Rt2LkV@db.library.test/app" } } },
    safe: { "GET /status": { json: { database: "up" } } },
  },
  {
    checks: ["data-exposure/sensitive-answers-cacheable"],
    at: "GET /me",
    document: { "/me": { get: {} } },
    weak: {
      "GET /me": { json: { dateOfBirth: "1990-01-01" }, headers: { "cache-control": "public, max-age=600" } },
    },
    safe: { "GET /me": { json: { visits: 3 }, headers: { "cache-control": "no-store" } } },
    alsoTrue: { "property-authorization/sensitive-fields-anonymous": "a date of birth, shown to anybody" },
  },
  {
    checks: ["data-exposure/stack-trace"],
    at: "GET /tables/{tableId}",
    document: {
      "/tables/{tableId}": {
        parameters: [
          { name: "tableId", in: "path", required: true, schema: { type: "integer" }, example: 3 },
        ],
        get: {},
      },
    },
    weak: {
      "GET /tables/{tableId}": byPath((id) =>
        /^-?\d+$/.test(id) ? { json: { seats: 4 } } : { status: 500, json: { stack: TRACE } },
      ),
    },
    safe: {
      "GET /tables/{tableId}": byPath((id) =>
        /^-?\d+$/.test(id) ? { json: { seats: 4 } } : { status: 400, json: { error: "No number" } },
      ),
    },
    alsoTrue: { "input-validation/type-violation-5xx": "the same error, as an error" },
  },
  {
    checks: ["data-exposure/trace-enabled"],
    at: "GET /",
    weak: {
      "TRACE *": ({ headers }) => ({
        headers: { "content-type": "message/http" },
        body: `TRACE / HTTP/1.1\r\n${Object.entries(headers)
          .map(([name, value]) => `${name}: ${String(value)}`)
          .join("\r\n")}\r\n`,
      }),
    },
    safe: { "TRACE *": { status: 405, json: { error: "Method not allowed" } } },
  },
  {
    checks: ["data-exposure/database-error"],
    at: "GET /halls",
    document: { "/halls": { get: {} } },
    weak: { "GET /halls": { status: 500, json: { error: 'relation "halls" does not exist' } } },
    safe: { "GET /halls": { status: 404, json: { error: "There is no such hall" } } },
  },
  {
    checks: ["data-exposure/version-disclosure"],
    at: "GET /", // one server wrote all headers
    document: { "/opening-hours": { get: {} } },
    weak: {
      "GET /opening-hours": { json: { monday: "9 to 5" }, headers: { server: "Apache/2.4.29 (Ubuntu)" } },
    },
    safe: { "GET /opening-hours": { json: { monday: "9 to 5" }, headers: { server: "Apache" } } },
  },
  {
    checks: ["data-exposure/path-disclosure", "data-exposure/stack-trace"],
    at: "GET /desks/{deskId}",
    document: {
      "/desks/{deskId}": {
        parameters: [{ name: "deskId", in: "path", required: true, schema: { type: "integer" }, example: 2 }],
        get: {},
      },
    },
    weak: {
      "GET /desks/{deskId}": byPath((id) =>
        /^-?\d+$/.test(id)
          ? { json: { lamp: true } }
          : {
              status: 400,
              json: { error: "No number", location: "/var/www/dist/desks/desks.controller.js" },
            },
      ),
    },
    safe: {
      "GET /desks/{deskId}": byPath((id) =>
        /^-?\d+$/.test(id) ? { json: { lamp: true } } : { status: 400, json: { error: "No number" } },
      ),
    },
  },
];
