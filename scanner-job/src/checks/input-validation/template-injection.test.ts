import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import templateInjection from "./template-injection.ts";

const document = apiDocument({
  "/greeting": {
    get: { parameters: [{ name: "name", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const responding = (respond: (name: string) => FakeResponse) =>
  fakeApi({ "GET /greeting": ({ query }) => respond(query.get("name") ?? "") });
const evaluated = (text: string, marks: RegExp): string =>
  text.replace(marks, (_, a: string, b: string) => String(Number(a) * Number(b)));

testCheck(templateInjection, {
  positive: [
    {
      name: "double braces that are evaluated",
      document,
      target: responding((name) => ({
        json: { greeting: `Dear ${evaluated(name, /\{\{(\d+)\*(\d+)\}\}/g)}` },
      })),
      finding: { severity: "critical", location: { method: "GET", path: "/greeting", parameter: "name" } },
      count: 1,
    },
    {
      name: "marks of another language, with grouped digits",
      document,
      target: responding((name) => ({
        body: name.replace(/<%= (\d+)\*(\d+) %>/g, (_, a, b) => (Number(a) * Number(b)).toLocaleString("en")),
      })),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is repeated",
      document,
      target: responding((name) => ({ json: { greeting: `Dear ${name}` } })),
    },
    {
      name: "a value that is refused",
      document,
      target: responding(() => ({ status: 400, json: { error: "No" } })),
    },
    {
      name: "a value that breaks a template",
      document,
      target: responding((name) =>
        /[{<#@]/.test(name) ? { status: 500, json: { error: "No" } } : { json: { text: `Dear ${name}` } },
      ),
    },
  ],
  inconclusive: [
    {
      name: "a calculator",
      document,
      target: responding((name) => ({ body: evaluated(name, /(\d+)\*(\d+)/g) })),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a firewall", document, target: responding(() => ({ status: 406, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
