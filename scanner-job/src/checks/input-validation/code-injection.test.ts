import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import codeInjection from "./code-injection.ts";

const document = apiDocument({
  "/teas": {
    get: { parameters: [{ name: "rule", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({ "GET /teas": ({ query }) => respond(query.get("rule") ?? "") });
const product = (_: string, a: string, b: string): string => String(Number(a) * Number(b));

testCheck(codeInjection, {
  positive: [
    {
      name: "JavaScript that is executed",
      document,
      target: responding((value) => ({
        json: { result: value.replace(/^\[(\d+)\*(\d+)\]\.join\(\)$/, product) },
      })),
      finding: { severity: "critical", location: { method: "GET", path: "/teas", parameter: "rule" } },
      count: 1,
    },
    {
      name: "PHP into whose quotes the value is put",
      document,
      target: responding((value) => ({ json: { result: value.replace(/'\.\((\d+)\*(\d+)\)\.'/, product) } })),
      count: 1,
    },
  ],
  negative: [
    { name: "a value that is repeated", document, target: responding((value) => ({ json: { value } })) },
    {
      name: "a value that is refused",
      document,
      target: responding(() => ({ status: 422, json: { error: "No" } })),
    },
  ],
  inconclusive: [
    {
      name: "a calculator",
      document,
      target: responding((value) => ({ json: { result: value.replace(/(\d+)\*(\d+)/, product) } })),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
