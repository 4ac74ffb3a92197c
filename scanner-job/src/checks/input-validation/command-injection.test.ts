import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import commandInjection from "./command-injection.ts";

const document = apiDocument({
  "/ping": {
    get: {
      parameters: [
        { name: "host", in: "query", required: true, schema: { type: "string" }, example: "mill" },
      ],
    },
  },
});
const answering = (answer: (host: string) => Answer) =>
  fakeApi({ "GET /ping": ({ query }) => answer(query.get("host") ?? "") });

testCheck(commandInjection, {
  positive: [
    {
      name: "a shell that prints the product",
      document,
      target: answering((host) => ({
        json: {
          output: host.replace(/;echo \$\(\((\d+)\*(\d+)\)\)/, (_, a, b) => `\n${Number(a) * Number(b)}`),
        },
      })),
      finding: { severity: "critical", location: { method: "GET", path: "/ping", parameter: "host" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is repeated",
      document,
      target: answering((host) => ({ json: { output: `ping ${host}` } })),
    },
    {
      name: "a value that is refused",
      document,
      target: answering(() => ({ status: 422, json: { error: "No" } })),
    },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: answering(() => ({ status: 403, json: {} })),
    },
    { name: "a firewall", document, target: answering(() => ({ status: 406, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
