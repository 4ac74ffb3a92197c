import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import pageSize from "./page-size.ts";

const document = (schema: object = { type: "integer" }) =>
  apiDocument({ "/events": { get: { parameters: [{ name: "limit", in: "query", schema }] } } });

/** A collection of `total` rows of which one response holds at most `max`. */
const events = (total: number, max: number = Infinity) =>
  fakeApi({
    "GET /events": ({ query }) => {
      const count = Math.min(Number(query.get("limit") ?? 10), max, total);
      return { json: { events: Array.from({ length: count }, (_, id) => ({ id })) } };
    },
  });

testCheck(pageSize, {
  positive: [
    {
      name: "a list that returns the number of rows that is asked for",
      document: document(),
      target: events(5000),
      finding: { severity: "low", location: { method: "GET", path: "/events", parameter: "limit" } },
      count: 1,
    },
    {
      name: "a list that ignores the declared maximum, which weighs more",
      document: document({ type: "integer", maximum: 50 }),
      target: events(300),
      finding: { severity: "medium" },
    },
  ],
  negative: [
    { name: "a list that is cut to a hundred rows", document: document(), target: events(5000, 100) },
    {
      name: "a list that is cut to the declared maximum",
      document: document({ type: "integer", maximum: 50 }),
      target: events(5000, 50),
    },
    { name: "a collection that has few rows", document: document(), target: events(40) },
    {
      name: "a list that refuses large pages",
      document: document({ type: "integer", maximum: 50 }),
      target: fakeApi({
        "GET /events": ({ query }) =>
          Number(query.get("limit") ?? 1) > 50
            ? { status: 400, json: { error: "limit is at most 50" } }
            : { json: [{ id: 1 }] },
      }),
    },
  ],
  inconclusive: [
    {
      name: "a list that does not obey the parameter",
      document: document(),
      target: fakeApi({ "GET /events": { json: Array.from({ length: 700 }, (_, id) => ({ id })) } }),
    },
    {
      name: "a list that requires credentials",
      document: document(),
      target: fakeApi({ "GET /events": { status: 401, json: { error: "Unauthorized" } } }),
    },
    {
      name: "an API without pages",
      document: apiDocument({ "/events": { get: {} } }),
      target: events(10),
    },
  ],
});
