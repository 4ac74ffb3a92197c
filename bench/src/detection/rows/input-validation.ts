import type { FakeResponse } from "../../../../scanner-job/src/testing/fake-api.ts";
import {
  byBody,
  byPath,
  byQuery,
  invalid,
  notFound,
  reading,
  secured,
  taking,
  unauthorized,
  type Row,
} from "../row.ts";
import { rowsOf } from "./database.ts";

const SQL = ["input-validation/sql-error", "input-validation/sql-boolean"];
const BOOKS = "SELECT title, year FROM books WHERE shelf =";

const page = (body: string, status = 200): FakeResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><title>Library</title><main>${body}</main>`,
});
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const to = (location: string): FakeResponse => ({ status: 302, headers: { location: encodeURI(location) } });

/** What a shell prints of a command line with this text in it: of `echo` and its arithmetic. */
const shell = (text: string): string =>
  /(?:[;|&\n`]|\$\()\s*echo\s/.test(text)
    ? text.replaceAll(/\$\(\((\d+)\*(\d+)\)\)/g, (_, a, b) => `\n${Number(a) * Number(b)}\n`)
    : text;
const template = (text: string): string =>
  text.replaceAll(/\{\{\s*(\d+)\s*\*\s*(\d+)\s*\}\}/g, (_, a, b) => String(Number(a) * Number(b)));

/** A folder of leaflets on a disk with the common files. */
function file(name: string, guarded: boolean): FakeResponse {
  const path = new URL(name.replaceAll("\\", "/"), "file:///srv/leaflets/").pathname;
  if (path === "/srv/leaflets/hours.txt") return { body: "Open from nine to five." };
  if (!guarded && path === "/etc/passwd")
    return { body: "root:x:0:0:root:/root:/bin/sh\nwww:x:33:33::/:/bin/sh\n" };
  return notFound;
}

export const inputValidationRows: readonly Row[] = [
  {
    checks: SQL,
    at: "GET /books",
    document: { "/books": reading("shelf", { example: "nature" }) },
    weak: { "GET /books": byQuery("shelf", (shelf) => rowsOf(`${BOOKS} '${shelf}'`, [])) },
    safe: { "GET /books": byQuery("shelf", (shelf) => rowsOf(`${BOOKS} ?`, [shelf])) },
  },
  {
    checks: ["input-validation/sql-boolean"],
    at: "GET /reviews",
    document: { "/reviews": reading("shelf", { example: "craft" }) },
    weak: { "GET /reviews": byQuery("shelf", (shelf) => rowsOf(`${BOOKS} '${shelf}'`, [], false)) },
    safe: { "GET /reviews": byQuery("shelf", (shelf) => rowsOf(`${BOOKS} ?`, [shelf], false)) },
  },
  {
    checks: SQL,
    at: "GET /shelves/{shelf}",
    document: {
      "/shelves/{shelf}": {
        parameters: [
          { name: "shelf", in: "path", required: true, schema: { type: "string" }, example: "nature" },
        ],
        get: {},
      },
    },
    weak: { "GET /shelves/{shelf}": byPath((shelf) => rowsOf(`${BOOKS} '${shelf}'`, [])) },
    safe: { "GET /shelves/{shelf}": byPath((shelf) => rowsOf(`${BOOKS} ?`, [shelf])) },
  },
  {
    checks: SQL,
    at: "POST /search",
    document: { "/search": { post: { summary: "Search the books", ...taking("shelf") } } },
    weak: { "POST /search": byBody(({ shelf }) => rowsOf(`${BOOKS} '${String(shelf)}'`, [])) },
    safe: { "POST /search": byBody(({ shelf }) => rowsOf(`${BOOKS} ?`, [String(shelf)])) },
  },
  {
    checks: ["input-validation/nosql-operator"],
    at: "GET /rooms",
    document: { "/rooms": reading("floor", { schema: { type: "integer" } }) },
    weak: {
      "GET /rooms": ({ query }) => ({ json: query.has("floor[$ne]") ? [{ floor: 1 }, { floor: 2 }] : [] }),
    },
    safe: { "GET /rooms": { json: [] } },
  },
  {
    checks: ["input-validation/command-injection"],
    at: "GET /printers/ping",
    document: { "/printers/ping": reading("host", { required: true, example: "printer" }) },
    weak: { "GET /printers/ping": byQuery("host", (host) => ({ json: { output: shell(`ping ${host}`) } })) },
    safe: { "GET /printers/ping": byQuery("host", (host) => ({ json: { output: `ping ${host}` } })) },
  },
  {
    checks: ["input-validation/template-injection"],
    at: "GET /greeting",
    document: { "/greeting": reading("name", { required: true }) },
    weak: { "GET /greeting": byQuery("name", (name) => ({ json: { text: template(`Dear ${name}`) } })) },
    safe: { "GET /greeting": byQuery("name", (name) => ({ json: { text: `Dear ${name}` } })) },
  },
  {
    checks: ["input-validation/path-traversal"],
    at: "GET /leaflets",
    document: { "/leaflets": reading("file", { required: true, example: "hours.txt" }) },
    weak: { "GET /leaflets": byQuery("file", (name) => file(name, false)) },
    safe: { "GET /leaflets": byQuery("file", (name) => file(name, true)) },
  },
  {
    checks: ["input-validation/reflected-markup"],
    at: "GET /find",
    document: { "/find": reading("q", { required: true }) },
    weak: { "GET /find": byQuery("q", (text) => page(`Nothing for ${text}`)) },
    safe: { "GET /find": byQuery("q", (text) => page(`Nothing for ${escaped(text)}`)) },
  },
  {
    checks: ["input-validation/open-redirect"],
    at: "GET /leave",
    document: { "/leave": reading("url", { required: true }) },
    weak: { "GET /leave": byQuery("url", (url) => (url === "" ? invalid : to(url))) },
    safe: { "GET /leave": byQuery("url", (url) => to(`/leaving?url=${encodeURIComponent(url)}`)) },
    alsoTrue: { "unsafe-consumption/third-party-redirect": "it leads to any host that is named" },
  },
  {
    checks: ["input-validation/header-injection"],
    at: "GET /language",
    document: { "/language": reading("code", { required: true, example: "en" }) },
    weak: { "GET /language": byQuery("code", splitting) },
    safe: {
      "GET /language": byQuery("code", (code) => ({
        json: {},
        headers: { "content-language": encodeURIComponent(code) },
      })),
    },
  },
  {
    checks: ["input-validation/type-violation-5xx"],
    at: "GET /seats/{seatId}",
    document: {
      "/seats/{seatId}": {
        parameters: [{ name: "seatId", in: "path", required: true, schema: { type: "integer" }, example: 4 }],
        get: {},
      },
    },
    weak: {
      "GET /seats/{seatId}": byPath((id) =>
        /^-?\d+$/.test(id) ? { json: { seat: 4 } } : { status: 500, json: { error: "Internal" } },
      ),
    },
    safe: { "GET /seats/{seatId}": byPath((id) => (/^-?\d+$/.test(id) ? { json: { seat: 4 } } : invalid)) },
  },
  {
    checks: ["input-validation/unvalidated-write"],
    at: "PUT /notes/{noteId}",
    document: {
      "/notes/{noteId}": {
        parameters: [{ name: "noteId", in: "path", required: true, schema: { type: "integer" }, example: 4 }],
        get: secured(),
        put: secured(taking("text")),
      },
    },
    weak: {
      "GET /notes/{noteId}": unauthorized,
      "PUT /notes/{noteId}": ({ params, body }) => ({ json: { id: params["noteId"], body } }),
    },
    safe: { "* /notes/{noteId}": unauthorized },
  },
  {
    checks: ["input-validation/xpath-injection"],
    at: "GET /maps",
    document: { "/maps": reading("town", { example: "York" }) },
    weak: {
      "GET /maps": byQuery("town", (town) =>
        town.split("'").length % 2 === 0
          ? { status: 500, json: { error: "XPathException: unterminated string literal in the expression" } }
          : { json: { maps: town === "York" ? 1 : 0 } },
      ),
    },
    safe: { "GET /maps": byQuery("town", (town) => ({ json: { maps: town === "York" ? 1 : 0 } })) },
  },
  {
    checks: ["input-validation/ldap-injection"],
    at: "GET /people",
    document: { "/people": reading("uid", { example: "ines" }) },
    weak: {
      "GET /people": byQuery("uid", (uid) =>
        /^[^()]*(?:\)\([^()=]+=[^()]*)*$/.test(uid)
          ? { json: { people: uid === "ines" || uid.endsWith("=*") ? 1 : 0 } }
          : {
              status: 500,
              json: { error: "javax.naming.directory.InvalidSearchFilterException: Missing parenthesis" },
            },
      ),
    },
    safe: { "GET /people": byQuery("uid", (uid) => ({ json: { people: uid === "ines" ? 1 : 0 } })) },
  },
  {
    checks: ["input-validation/xxe"],
    at: "POST /labels/preview",
    document: {
      "/labels/preview": {
        post: {
          summary: "Preview a label",
          requestBody: {
            required: true,
            content: {
              "application/xml": { schema: { type: "object", properties: { text: { type: "string" } } } },
            },
          },
        },
      },
    },
    weak: { "POST /labels/preview": ({ body }) => label(expanded(body)) },
    safe: { "POST /labels/preview": ({ body }) => (body.includes("<!DOCTYPE") ? invalid : label(body)) },
  },
];

/** A server that writes a value into a header as it is. */
function splitting(code: string): FakeResponse {
  const [first = "", ...lines] = code.split(/\r?\n/);
  const added = lines
    .map((line) => line.split(": "))
    .filter((pair) => pair.length === 2 && /^[\w-]+$/.test(pair[0]!));
  return {
    json: {},
    headers: { "content-language": encodeURIComponent(first), ...Object.fromEntries(added) },
  };
}

const label = (xml: string): FakeResponse => ({
  headers: { "content-type": "application/xml" },
  body: `<label>${xml.replaceAll(/<[!?][^>]*(?:\[[^\]]*\]\s*)?>/g, "").replaceAll(/<[^>]*>/g, "")}</label>`,
});

/** An XML parser that puts in the texts of internal entities. */
function expanded(xml: string): string {
  const entities = [...xml.matchAll(/<!ENTITY\s+(\w+)\s+["']([^"']*)["']\s*>/g)];
  return entities.reduce((text, [, name, value]) => text.replaceAll(`&${name};`, value!), xml);
}
