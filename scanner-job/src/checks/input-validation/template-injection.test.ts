import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import templateInjection from "./template-injection.ts";

const document = apiDocument({
  "/greeting": {
    get: { parameters: [{ name: "name", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const answering = (answer: (name: string) => Answer) =>
  fakeApi({ "GET /greeting": ({ query }) => answer(query.get("name") ?? "") });
const evaluated = (text: string, marks: RegExp): string =>
  text.replace(marks, (_, a: string, b: string) => String(Number(a) * Number(b)));

testCheck(templateInjection, {
  positive: [
    {
      name: "double braces that are evaluated",
      document,
      target: answering((name) => ({
        json: { greeting: `Dear ${evaluated(name, /\{\{(\d+)\*(\d+)\}\}/g)}` },
      })),
      finding: { severity: "critical", location: { method: "GET", path: "/greeting", parameter: "name" } },
      count: 1,
    },
    {
      name: "marks of another language, with grouped digits",
      document,
      target: answering((name) => ({
        body: name.replace(/<%= (\d+)\*(\d+) %>/g, (_, a, b) => (Number(a) * Number(b)).toLocaleString("en")),
      })),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is repeated",
      document,
      target: answering((name) => ({ json: { greeting: `Dear ${name}` } })),
    },
    {
      name: "a value that is refused",
      document,
      target: answering(() => ({ status: 400, json: { error: "No" } })),
    },
    {
      name: "a value that breaks a template",
      document,
      target: answering((name) =>
        /[{<#@]/.test(name) ? { status: 500, json: { error: "No" } } : { json: { text: `Dear ${name}` } },
      ),
    },
  ],
  inconclusive: [
    {
      name: "a calculator",
      document,
      target: answering((name) => ({ body: evaluated(name, /(\d+)\*(\d+)/g) })),
    },
    {
      name: "an operation behind credentials",
      document,
      target: answering(() => ({ status: 401, json: {} })),
    },
    { name: "a firewall", document, target: answering(() => ({ status: 406, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
