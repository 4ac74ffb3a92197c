import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sqlStatement from "./sql-statement.ts";

const document = apiDocument({
  "/count": {
    get: {
      parameters: [
        {
          name: "query",
          in: "query",
          required: true,
          schema: { type: "string" },
          example: "select count(*) as count from teas",
        },
      ],
    },
  },
});
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({ "GET /count": ({ query }) => respond(query.get("query") ?? "") });

testCheck(sqlStatement, {
  positive: [
    {
      name: "a statement that is executed",
      document,
      target: responding((value) => {
        const [, a, b] = /^select cast\((\d+)\*(\d+) as char\(12\)\) as count$/.exec(value) ?? [];
        return { json: { count: a === undefined ? 7 : Number(a) * Number(b) } };
      }),
      finding: { severity: "critical", location: { method: "GET", path: "/count", parameter: "query" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a statement that is searched for",
      document,
      target: responding((value) => ({ json: { searched: value } })),
    },
  ],
  inconclusive: [
    {
      name: "a calculator",
      document,
      target: responding((value) => {
        const [, a, b] = /(\d+)\*(\d+)/.exec(value) ?? [];
        return { json: { result: a === undefined ? 0 : Number(a) * Number(b) } };
      }),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
