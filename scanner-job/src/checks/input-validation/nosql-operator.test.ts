import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import nosqlOperator from "./nosql-operator.ts";

const document = apiDocument({
  "/rooms": { get: { parameters: [{ name: "floor", in: "query", schema: { type: "integer" } }] } },
});
const rooms = [{ floor: 1 }, { floor: 2 }, { floor: 3 }];
const responding = (respond: (query: URLSearchParams) => FakeResponse) =>
  fakeApi({ "GET /rooms": ({ query }) => respond(query) });
let count = 0;
/** Enough insertion points for chance to fool a test of few rounds. */
const manyRooms = apiDocument(
  Object.fromEntries(
    Array.from({ length: 60 }, (_, house) => [
      `/houses/${house}/rooms`,
      { get: { parameters: [{ name: "floor", in: "query", schema: { type: "integer" } }] } },
    ]),
  ),
);

testCheck(nosqlOperator, {
  positive: [
    {
      name: "operators that reach the database",
      document,
      target: responding((query) => ({ json: { rooms: query.has("floor[$ne]") ? rooms : [] } })),
      finding: { severity: "high", location: { method: "GET", path: "/rooms", parameter: "floor" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a parameter that is unknown by that name",
      document,
      target: responding(() => ({ json: { rooms } })),
    },
    { name: "operators that find nothing", document, target: responding(() => ({ json: { rooms: [] } })) },
    {
      name: "a server that repeats the name of the operator",
      document,
      target: fakeApi({
        "GET /rooms": ({ query }) => {
          const [name = "", value = ""] = [...query][0] ?? [];
          const [, operator = ""] = /\[\$?(\w+)\]/.exec(name) ?? [];
          return {
            json: { [name]: value, filters: [{ operator }], link: `/rooms?${query.toString()}`, rooms },
          };
        },
      }),
    },
    {
      name: "a server that randomly returns one of two layouts",
      document: manyRooms,
      target: fakeApi({
        "* *": () => ({ json: Math.random() < 0.5 ? { rooms } : { items: rooms, total: 3 } }),
      }),
    },
    {
      name: "operators that are refused",
      document,
      target: responding(() => ({ status: 400, json: { error: "No" } })),
    },
  ],
  inconclusive: [
    {
      name: "a number of rows that varies by itself",
      document,
      target: responding((query) => {
        if (query.has("floor[$ne]") || query.has("floor[$eq]")) count++;
        return { json: { rooms: count % 4 === 1 ? rooms : rooms.slice(0, (count % 2) + 1) } };
      }),
    },
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    { name: "a firewall", document, target: responding(() => ({ status: 403, body: "Request blocked" })) },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
