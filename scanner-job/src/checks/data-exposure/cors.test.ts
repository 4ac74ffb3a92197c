import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import cors from "./cors.ts";

const document = apiDocument({ "/me": { get: {} } }, BEARER);
const allowing =
  (judge: (origin: string, host: string) => string | undefined, credentials = true): Route =>
  ({ headers }) => {
    const origin = judge(headers.origin ?? "", headers.host ?? "");
    return {
      json: {},
      headers: origin
        ? {
            "access-control-allow-origin": origin,
            ...(credentials ? { "access-control-allow-credentials": "true" } : {}),
          }
        : {},
    };
  };
const anyOrigin = (origin = "*") => ({
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
});
const isOwn = (origin: string, host: string): boolean => origin === `http://${host}`;

testCheck(cors, {
  positive: [
    {
      name: "every origin with credentials where responses set a cookie, of one operation among others",
      document: apiDocument({ "/names": { get: {} }, "/theme": { get: {} } }),
      target: fakeApi({
        "GET /": { json: {} },
        "GET /names": { json: [], headers: { "set-cookie": "sid=1" } },
        "GET /theme": allowing((origin) => origin),
      }),
      finding: { severity: "high", location: { method: "GET", path: "/theme" } },
      count: 1,
    },
    {
      name: "every origin with credentials where the browser signs in",
      target: fakeApi({
        "* *": ({ headers }) => ({
          status: 401,
          json: {},
          headers: {
            "www-authenticate": "Basic realm=a",
            "access-control-allow-origin": headers.origin ?? "*",
            "access-control-allow-credentials": "true",
          },
        }),
      }),
      finding: { severity: "high" },
      count: 1,
    },
    {
      name: "every origin with credentials at an API that has none, as a low",
      target: fakeApi({ "* *": allowing((origin) => origin) }),
      finding: { severity: "low" },
      count: 1,
    },
    {
      name: "every origin with credentials that go in a header alone, as a low, at both locations",
      document,
      target: fakeApi({ "* *": allowing((origin) => origin) }),
      finding: { severity: "low" },
      count: 2,
    },
    {
      name: "the same where a cookie is set",
      document,
      target: fakeApi({
        "GET /": { json: {}, headers: { "set-cookie": "sid=1" } },
        "* *": allowing((origin) => origin),
      }),
      finding: { severity: "high" },
      count: 1,
    },
    {
      name: "every origin with credentials once a cookie is sent, and any without credentials before",
      document,
      target: fakeApi({
        "GET /": { json: {}, headers: { "set-cookie": "sid=1" } },
        "GET /me": (incoming) => ({
          json: {},
          headers: anyOrigin(incoming.headers.cookie === undefined ? "*" : incoming.headers.origin),
        }),
      }),
      finding: { severity: "high", location: { method: "GET", path: "/me" } },
      count: 1,
    },
    {
      name: "an API that allows the origin null",
      target: fakeApi({ "* *": allowing((origin) => (origin === "null" ? origin : undefined)) }),
      count: 1,
    },
    {
      name: "an API that compares only the beginning",
      target: fakeApi({
        "* *": allowing((origin) => (origin.startsWith("http://127.0.0.1") ? origin : undefined)),
      }),
      count: 1,
    },
    {
      name: "an API that compares only the end",
      target: fakeApi({ "* *": allowing((origin) => (origin.endsWith("127.0.0.1") ? origin : undefined)) }),
      count: 1,
    },
    {
      name: "every origin on an operation that needs credentials, though without cookies",
      document,
      target: fakeApi({ "GET /": { json: {} }, "GET /me": allowing((origin) => origin, false) }),
      finding: { severity: "low", location: { method: "GET", path: "/me" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "an API that allows any origin by a wildcard, which browsers accept without credentials alone",
      target: fakeApi({ "* *": { json: {}, headers: anyOrigin() } }),
    },
    { name: "no word of origins", target: fakeApi({ "GET /": { json: {} } }) },
    {
      name: "a public API that allows all without credentials",
      target: fakeApi({ "* *": allowing(() => "*", false) }),
    },
    {
      name: "an API that allows its own site",
      target: fakeApi({ "* *": allowing((origin, host) => (isOwn(origin, host) ? origin : undefined)) }),
    },
    {
      name: "public responses that repeat the origin without credentials",
      target: fakeApi({ "* *": allowing((origin) => origin, false) }),
    },
    {
      name: "one trusted partner, for any origin",
      target: fakeApi({ "* *": allowing(() => "https://partner.test") }),
    },
  ],
  inconclusive: [
    {
      name: "a host that blocks what has an origin",
      target: fakeApi({
        "* *": ({ headers }) => (headers.origin ? { status: 403, body: "Request blocked" } : { json: {} }),
      }),
    },
  ],
});
