import type { FakeResponse, Incoming } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byPath, byQuery, reading, secured, taking, unauthorized, type Row } from "../row.ts";
import { rowsOf } from "./database.ts";

const html = (body: string, status = 200): FakeResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html>${body}`,
});

const wrong: FakeResponse = { status: 401, json: { error: "The name and the password do not match" } };
const notAllowed: FakeResponse = {
  status: 405,
  headers: { allow: "GET" },
  json: { error: "Method not allowed" },
};
const members = [{ name: "Ines" }, { name: "Paul" }];

/** What a directory finds of `(uid=VALUE)`, where the value may bring more conditions; every entry has these attributes. */
function searched(value: string): FakeResponse {
  const [uid, ...more] = value.split(")(");
  const meets = more.every((condition) => /^(objectclass|uid|cn)=\*$/i.test(condition));
  return { json: { members: meets && (uid === "ines" || uid === "*") ? members : [] } };
}

/** A server that tells its caller by which operator it was asked. */
function telling({ query }: Incoming): FakeResponse {
  const [name = "", value = ""] = [...query][0] ?? [];
  const [, operator = "eq"] = /\[\$?(\w+)\]/.exec(name) ?? [];
  return { json: { asked: { [name]: value }, filters: [{ operator }], lockers: [{ floor: 1 }] } };
}

const inEitherLayout = (): FakeResponse => ({
  json: Math.random() < 0.5 ? { visits: members } : { items: members, total: members.length },
});
const ROOMS = Array.from({ length: 12 }, (_, room) => `/rooms-${room}/visits`);
const visitsBy = (...names: string[]): object => ({
  get: { parameters: names.map((name) => ({ name, in: "query", schema: { type: "string" } })) },
});

const frames = (...files: string[]): FakeResponse => ({
  status: 500,
  json: { stack: ["TypeError: no shelf", ...files.map((file) => `    at show (${file}:12:3)`)].join("\n") },
});

/** Each row's safe side looks like its weakness, and is none. */
export const falseAlarmRows: readonly Row[] = [
  {
    checks: ["input-validation/ldap-injection"],
    at: "GET /nicknames/check",
    document: { "/nicknames/check": reading("nickname", { example: "ines" }) },
    weak: { "GET /nicknames/check": byQuery("nickname", searched) },
    // A rule that requires a digit.
    safe: {
      "GET /nicknames/check": byQuery("nickname", (name) => ({
        json: { accepted: name === "ines" || !/\d/.test(name) },
      })),
    },
  },
  {
    checks: ["input-validation/reflected-markup"],
    at: "GET /pages/search",
    document: { "/pages/search": reading("q", { required: true }) },
    weak: { "GET /pages/search": byQuery("q", (q) => html(`<title>${q}</title><p>No such page`)) },
    // In a title, an attribute and a comment, which the value cannot end.
    safe: {
      "GET /pages/search": byQuery("q", (q) => {
        const kept = q.replaceAll("</", "&lt;/").replaceAll('"', "&quot;").replaceAll("-->", "");
        return html(`<title>${kept}</title><!-- ${kept} --><input name="q" value="${kept}">`);
      }),
    },
  },
  {
    checks: ["input-validation/nosql-operator"],
    at: "GET /lockers",
    document: { "/lockers": reading("floor") },
    weak: {
      "GET /lockers": ({ query }) => ({ json: { lockers: query.has("floor[$ne]") ? [{ floor: 1 }] : [] } }),
    },
    safe: { "GET /lockers": telling },
  },
  {
    checks: ["input-validation/nosql-operator"],
    at: "GET /visits",
    document: { "/visits": reading("day") },
    // One of two layouts at random, at the number of locations that chance needs.
    safeDocument: Object.fromEntries(ROOMS.map((path) => [path, visitsBy("day", "guide", "room", "group")])),
    weak: { "GET /visits": ({ query }) => ({ json: { visits: query.has("day[$ne]") ? members : [] } }) },
    safe: Object.fromEntries(ROOMS.map((path) => [`GET ${path}`, inEitherLayout])),
  },
  {
    checks: ["input-validation/sql-boolean"],
    at: "GET /terms",
    document: { "/terms": reading("term", { example: "nature" }) },
    // Conditions are dropped, and halves are joined.
    weak: {
      "GET /terms": byQuery("term", (term) =>
        / (and|or) /i.test(term)
          ? { json: [] }
          : rowsOf(`SELECT title FROM books WHERE shelf = '${term}'`, [], false),
      ),
    },
    // A search that drops all but letters and digits.
    safe: {
      "GET /terms": byQuery("term", (term) => ({
        json: term.replaceAll(/[^a-z\d]/gi, "") === "nature" ? members : [],
      })),
    },
  },
  {
    checks: ["bfla-authorization/destructive-without-security"],
    at: "DELETE /lamps/{lampId}",
    document: { "/lamps/{lampId}": { delete: {} } },
    weak: {},
    safe: { "DELETE /lamps/{lampId}": notAllowed },
  },
  {
    checks: ["bfla-authorization/destructive-without-security"],
    at: "GET /cleanups",
    document: { "/cleanups": { get: { operationId: "deleteAllCleanups" } } },
    // The operationId is the DELETE's.
    safeDocument: {
      "/cleanups": {
        get: { operationId: "cleanups_cleanups_delete" },
        delete: secured({ operationId: "cleanups_cleanups_delete" }),
      },
    },
    weak: { "GET /cleanups": { json: { done: true } } },
    safe: { "GET /cleanups": { json: { cleanups: 2 } }, "DELETE /cleanups": unauthorized },
  },
  {
    checks: ["rate-limiting/login-throttling"],
    at: "POST /office/login",
    document: { "/office/login": { post: taking("email", "password") } },
    weak: { "POST /office/login": wrong },
    // A guard before all that is below the path.
    safe: { "* /office/login": unauthorized, "* /office/{place}": unauthorized },
  },
  {
    checks: ["data-exposure/stack-trace"],
    at: "GET /widgets/{widgetId}",
    document: {
      "/widgets/{widgetId}": {
        parameters: [{ name: "widgetId", in: "path", required: true, schema: { type: "integer" } }],
        get: {},
      },
    },
    weak: {
      "GET /widgets/{widgetId}": byPath((id) =>
        /^\d+$/.test(id) ? { json: { widget: "clock" } } : frames("/srv/library/widgets.js"),
      ),
    },
    // The error of a page's script, which its visitors reported.
    safe: {
      "GET /widgets/{widgetId}": byPath((id) =>
        /^\d+$/.test(id)
          ? { json: { widget: "clock" } }
          : { ...frames("/static/js/app.js", "/main.3f9a1c2b.js"), status: 404 },
      ),
    },
  },
  {
    checks: ["data-exposure/path-disclosure"],
    at: "GET /kiosk",
    document: { "/kiosk": { get: {} } },
    weak: { "GET /kiosk": html("<pre>/var/www/library/kiosk.php</pre>", 404) },
    safe: {
      "GET /kiosk": html('<script src="/kiosk/node_modules/clock/index.js"></script><p>Closed', 404),
    },
  },
];
