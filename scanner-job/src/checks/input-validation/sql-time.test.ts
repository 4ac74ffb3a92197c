import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sqlTime from "./sql-time.ts";

const document = apiDocument({
  "/teas": {
    get: {
      parameters: [
        { name: "kind", in: "query", required: true, schema: { type: "string" }, example: "green" },
      ],
    },
  },
});
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({ "GET /teas": ({ query }) => respond(query.get("kind") ?? "") });

/** Moves only when a target waits. */
let clock = 0;
const now = (): number => clock;
const waiting = (ms: number): FakeResponse => {
  clock += ms;
  return { json: [] };
};

/** How long the value asks to wait, in milliseconds. */
const askedFor = (value: string): number => Number(/PG_SLEEP\(([\d.]+)\)/.exec(value)?.[1] ?? 0) * 1000;

testCheck(sqlTime, {
  positive: [
    {
      name: "a server that waits for the requested time",
      document,
      target: responding((value) => waiting(askedFor(value))),
      now,
      finding: { severity: "critical", location: { method: "GET", path: "/teas", parameter: "kind" } },
      count: 1,
    },
  ],
  negative: [
    { name: "a server that does not wait", document, target: responding(() => ({ json: [] })) },
    {
      name: "a server that is slow with everything that is long",
      document,
      target: responding((value) => waiting(value.length > 10 ? 750 : 0)),
      now,
    },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    {
      name: "a firewall",
      document,
      target: responding((value) =>
        value === "green" ? { json: [] } : { status: 403, body: "Request blocked" },
      ),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
