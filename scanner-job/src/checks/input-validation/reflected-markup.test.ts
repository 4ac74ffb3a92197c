import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import reflectedMarkup from "./reflected-markup.ts";

const document = apiDocument({
  "/search": {
    get: { parameters: [{ name: "q", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const responding = (respond: (q: string) => FakeResponse) =>
  fakeApi({ "GET /search": ({ query }) => respond(query.get("q") ?? "") });
const page = (body: string): FakeResponse => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body,
});

const signUp = (name: string, error: string): string =>
  `<form method="post"><p>${error}</p><input name="userName" value="${name}"><input type="password" name="password"></form>`;
/** A page that links to the form of a registration, which comes back when the password is missing. */
const site = (respond: (name: string, password: string) => FakeResponse) =>
  fakeApi({
    "GET /": page('<a href="/signup">Sign up</a>'),
    "GET /signup": page(signUp("", "")),
    "POST /signup": ({ body }) => {
      const sent = new URLSearchParams(body);
      return respond(sent.get("userName") ?? "", sent.get("password") ?? "");
    },
  });
const demanding =
  (escape: (name: string) => string) =>
  (name: string, password: string): FakeResponse =>
    password === "" ? page(signUp(escape(name), "A password is needed")) : { status: 500 };

testCheck(reflectedMarkup, {
  positive: [
    {
      name: "a form of a registration that comes back with the value as it is",
      target: site(demanding((name) => name)),
      finding: { location: { method: "POST", path: "/signup", parameter: "userName" } },
      count: 1,
    },
    {
      name: "a form of a sign-in that comes back with the value as it is",
      target: fakeApi({
        "GET /": page(signUp("", "").replace("<form", '<form action="/login"')),
        "POST /login": ({ body }) => page(signUp(new URLSearchParams(body).get("userName") ?? "", "Wrong")),
      }),
      finding: { location: { method: "POST", path: "/login", parameter: "userName" } },
    },
    {
      name: "a page with the value as it is",
      document,
      target: responding((q) => page(`<p>No results for ${q}</p>`)),
      finding: { severity: "medium", location: { method: "GET", path: "/search", parameter: "q" } },
      count: 1,
    },
    {
      name: "an error page with the value as it is",
      document,
      target: responding((q) => ({ ...page(q), status: 404 })),
    },
    {
      name: "a title that the value can end",
      document,
      target: responding((q) => page(`<title>${q}</title><p>Nothing found</p>`)),
      count: 1,
    },
    {
      name: "an attribute that the value can end",
      document,
      target: responding((q) => page(`<input name="q" value="${q}">`)),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a comment that the value cannot end",
      document,
      target: responding((q) => page(`<!-- searched: ${q.replaceAll("-->", "")} --><p>Nothing found</p>`)),
    },
    {
      name: "an attribute whose quotes are escaped",
      document,
      target: responding((q) => page(`<input name="q" value="${q.replaceAll('"', "&quot;")}">`)),
    },
    {
      name: "a form of a registration that escapes",
      target: site(demanding((name) => name.replaceAll("<", "&lt;"))),
    },
    { name: "a page that escapes", document, target: responding((q) => page(q.replaceAll("<", "&lt;"))) },
    { name: "JSON with the value in it", document, target: responding((q) => ({ json: { q } })) },
    { name: "plain text with the value in it", document, target: responding((q) => ({ body: q })) },
    ...["title", "textarea", "noscript", "template"].map((element) => ({
      name: `a ${element} that the value cannot end`,
      document,
      target: responding((q) => page(`<${element}>${q.replaceAll("</", "&lt;/")}</${element}>`)),
    })),
  ],
  inconclusive: [
    {
      name: "a registration that accepts accounts without a password",
      target: site((name) => page(`<p>Welcome, ${name}</p>`)),
    },
    {
      name: "a page that keeps what was sent",
      document,
      target: (() => {
        const kept: string[] = [];
        return responding((q) => page(kept.concat(kept.push(q) ? q : "").join(" ")));
      })(),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a firewall", document, target: responding(() => ({ ...page("Request blocked"), status: 403 })) },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
