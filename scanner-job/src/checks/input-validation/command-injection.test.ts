import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
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
const responding = (respond: (host: string) => FakeResponse) =>
  fakeApi({ "GET /ping": ({ query }) => respond(query.get("host") ?? "") });

testCheck(commandInjection, {
  positive: [
    {
      name: "a shell that prints the product",
      document,
      target: responding((host) => ({
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
      target: responding((host) => ({ json: { output: `ping ${host}` } })),
    },
    {
      name: "a value that is refused",
      document,
      target: responding(() => ({ status: 422, json: { error: "No" } })),
    },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 403, json: {} })),
    },
    { name: "a firewall", document, target: responding(() => ({ status: 406, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
