import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import codeInjection from "./code-injection.ts";

const document = apiDocument({
  "/teas": {
    get: { parameters: [{ name: "rule", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const answering = (answer: (value: string) => Answer) =>
  fakeApi({ "GET /teas": ({ query }) => answer(query.get("rule") ?? "") });
const product = (_: string, a: string, b: string): string => String(Number(a) * Number(b));

testCheck(codeInjection, {
  positive: [
    {
      name: "JavaScript that is executed",
      document,
      target: answering((value) => ({
        json: { result: value.replace(/^\[(\d+)\*(\d+)\]\.join\(\)$/, product) },
      })),
      finding: { severity: "critical", location: { method: "GET", path: "/teas", parameter: "rule" } },
      count: 1,
    },
    {
      name: "PHP into whose quotes the value is put",
      document,
      target: answering((value) => ({ json: { result: value.replace(/'\.\((\d+)\*(\d+)\)\.'/, product) } })),
      count: 1,
    },
  ],
  negative: [
    { name: "a value that is repeated", document, target: answering((value) => ({ json: { value } })) },
    {
      name: "a value that is refused",
      document,
      target: answering(() => ({ status: 422, json: { error: "No" } })),
    },
  ],
  inconclusive: [
    {
      name: "a calculator",
      document,
      target: answering((value) => ({ json: { result: value.replace(/(\d+)\*(\d+)/, product) } })),
    },
    {
      name: "an operation behind credentials",
      document,
      target: answering(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
