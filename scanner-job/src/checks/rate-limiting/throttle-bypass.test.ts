import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse, type Incoming } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import throttleBypass from "./throttle-bypass.ts";

const document = apiDocument({ "/slots": { get: {} } });
const free = { json: { free: ["09:30"] } };
const tooMany = { status: 429, headers: { "Retry-After": "0" }, json: { error: "Too many requests" } };

/** The entry, which every scan asks for first: it is limited before the check begins. */
const entry = (respond: (incoming: Incoming) => FakeResponse) => fakeApi({ "GET /": respond });

function once(first: FakeResponse, then: FakeResponse): () => FakeResponse {
  let asked = 0;
  return () => (asked++ === 0 ? first : then);
}

/** Counts by the client address in the header. */
function firstTen(): (incoming: Incoming) => FakeResponse {
  const counts = new Map<unknown, number>();
  return ({ headers }) => {
    const client = headers["x-forwarded-for"];
    counts.set(client, (counts.get(client) ?? 0) + 1);
    return counts.get(client)! > 10 ? tooMany : free;
  };
}

const signIn = apiDocument({
  "/login": {
    post: {
      requestBody: {
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: { username: { type: "string" }, password: { type: "string" } },
            },
          },
        },
      },
    },
  },
});

/** Locks after five attempts of one client, identified by the header. */
function attempts(header: string): (incoming: Incoming) => FakeResponse {
  const counts = new Map<unknown, number>();
  return ({ headers }) => {
    const client = headers[header];
    counts.set(client, (counts.get(client) ?? 0) + 1);
    const error = counts.get(client)! > 5 ? "Too many attempts, try again later" : "Wrong password";
    return { status: 401, json: { error } };
  };
}

testCheck(throttleBypass, {
  positive: [
    {
      name: "a limit that believes X-Forwarded-For",
      document,
      target: entry(({ headers }) => (headers["x-forwarded-for"] ? free : tooMany)),
      finding: { severity: "medium", location: { method: "GET", path: "/" } },
      count: 1,
    },
    {
      name: "a limit that the document names, met in a burst",
      document: apiDocument({ "/slots": { get: { responses: { 429: { description: "Wait" } } } } }),
      target: fakeApi({ "GET /slots": firstTen() }),
      finding: { location: { method: "GET", path: "/slots" } },
    },
    {
      name: "a lock-out with status 401 that counts by X-Forwarded-For",
      document: signIn,
      target: fakeApi({ "GET /": free, "POST /login": attempts("x-forwarded-for") }),
      finding: { location: { method: "POST", path: "/login" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a lock-out that counts by account",
      document: signIn,
      target: fakeApi({ "GET /": free, "POST /login": attempts("host") }),
    },
    { name: "a limit that counts by connection", document, target: entry(() => tooMany) },
    {
      name: "a limit that refuses the headers with an error",
      document,
      target: entry(({ headers }) =>
        headers["x-forwarded-for"] ? { status: 400, json: { error: "Bad" } } : tooMany,
      ),
    },
  ],
  inconclusive: [
    { name: "a host that limited nothing", document, target: entry(() => free) },
    {
      name: "a limit that is over when it is asked again",
      document,
      target: entry(once(tooMany, free)),
    },
  ],
});
