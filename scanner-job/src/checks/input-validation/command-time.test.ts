import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import commandTime from "./command-time.ts";

const document = apiDocument({
  "/teas": {
    get: {
      parameters: [
        { name: "kind", in: "query", required: true, schema: { type: "string" }, example: "green" },
      ],
    },
  },
});
const answering = (answer: (value: string) => Answer) =>
  fakeApi({ "GET /teas": ({ query }) => answer(query.get("kind") ?? "") });

/** Moves only when a target waits. */
let clock = 0;
const now = (): number => clock;
const waiting = (ms: number): Answer => {
  clock += ms;
  return { json: [] };
};

/** How long the value asks to wait, in milliseconds. */
const askedFor = (value: string): number => Number(/;sleep ([\d.]+) #/.exec(value)?.[1] ?? 0) * 1000;

testCheck(commandTime, {
  positive: [
    {
      name: "a server that waits for the requested time",
      document,
      target: answering((value) => waiting(askedFor(value))),
      now,
      finding: { severity: "critical", location: { method: "GET", path: "/teas", parameter: "kind" } },
      count: 1,
    },
  ],
  negative: [
    { name: "a server that does not wait", document, target: answering(() => ({ json: [] })) },
    {
      name: "a server that is slow with whatever is long",
      document,
      target: answering((value) => waiting(value.length > 10 ? 750 : 0)),
      now,
    },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: answering(() => ({ status: 401, json: {} })),
    },
    {
      name: "a firewall",
      document,
      target: answering((value) =>
        value === "green" ? { json: [] } : { status: 403, body: "Request blocked" },
      ),
    },
    { name: "a connection that is cut", document, target: answering(() => ({ cut: true })) },
  ],
});
