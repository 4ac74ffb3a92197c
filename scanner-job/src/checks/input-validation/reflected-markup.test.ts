import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import reflectedMarkup from "./reflected-markup.ts";

const document = apiDocument({
  "/search": {
    get: { parameters: [{ name: "q", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const answering = (answer: (q: string) => Answer) =>
  fakeApi({ "GET /search": ({ query }) => answer(query.get("q") ?? "") });
const page = (body: string): Answer => ({ headers: { "content-type": "text/html; charset=utf-8" }, body });

testCheck(reflectedMarkup, {
  positive: [
    {
      name: "a page with the value as it is",
      document,
      target: answering((q) => page(`<p>No results for ${q}</p>`)),
      finding: { severity: "medium", location: { method: "GET", path: "/search", parameter: "q" } },
      count: 1,
    },
    {
      name: "an error page with the value as it is",
      document,
      target: answering((q) => ({ ...page(q), status: 404 })),
    },
  ],
  negative: [
    { name: "a page that escapes", document, target: answering((q) => page(q.replaceAll("<", "&lt;"))) },
    { name: "JSON with the value in it", document, target: answering((q) => ({ json: { q } })) },
    { name: "plain text with the value in it", document, target: answering((q) => ({ body: q })) },
  ],
  inconclusive: [
    {
      name: "a page that keeps what was sent",
      document,
      target: (() => {
        const kept: string[] = [];
        return answering((q) => page(kept.concat(kept.push(q) ? q : "").join(" ")));
      })(),
    },
    {
      name: "an operation behind credentials",
      document,
      target: answering(() => ({ status: 401, json: {} })),
    },
    { name: "a firewall", document, target: answering(() => ({ ...page("Request blocked"), status: 403 })) },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
