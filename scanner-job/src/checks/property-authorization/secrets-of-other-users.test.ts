import { describe, expect, it } from "vitest";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { ANN, callerIn, signedIn } from "../../testing/callers.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import secretsOfOtherUsers, { secretsAmong } from "./secrets-of-other-users.ts";

const identities = [ANN];
const document = apiDocument({ "/members": { get: {} } }, BEARER);
const hash = (end: string) => `$2b$10$${"a".repeat(52)}${end}`;
const members = [
  { id: 1, email: "ann@larkfield.test", passwordHash: hash("1") },
  { id: 2, email: "ben@larkfield.test", passwordHash: hash("2") },
];
const byId = signedIn(({ params }) => {
  const json = members.find(({ id }) => String(id) === params["id"]);
  return json ? { json } : { status: 404, json: { error: "Unknown member" } };
});

testCheck(secretsOfOtherUsers, {
  positive: [
    {
      name: "a list of members with their hashes as critical",
      document,
      identities,
      target: fakeApi({ "GET /members": signedIn({ json: { members } }) }),
      finding: { severity: "critical", location: { method: "GET", path: "/members" } },
      count: 1,
    },
    {
      name: "single members by their ids",
      document: apiDocument({ "/members": { get: {} }, "/members/{id}": { get: {} } }, BEARER),
      identities,
      target: fakeApi({
        "GET /members": signedIn({ json: members.map(({ id, email }) => ({ id, email })) }),
        "GET /members/{id}": byId,
      }),
      finding: { location: { method: "GET", path: "/members/{id}" } },
      count: 1,
    },
    {
      name: "tokens of different accounts",
      document,
      identities,
      target: fakeApi({
        "GET /members": signedIn({
          json: members.map(({ email, id }) => ({ email, apiKey: `key${id}f0e9d8c7b6a5f4e3` })),
        }),
      }),
      finding: { severity: "high" },
    },
  ],
  negative: [
    {
      name: "lists without secrets",
      document: apiDocument({ "/keys": { get: {} }, "/members": { get: {} } }, BEARER),
      identities,
      target: fakeApi({
        "GET /keys": signedIn({ json: [1, 2].map((id) => ({ id, label: `k${id}`, text: "x" })) }),
        "GET /members": signedIn({ json: members.map(({ email }) => ({ email })) }),
      }),
    },
    {
      name: "a list that refuses the user",
      document,
      identities,
      target: fakeApi({ "GET /members": { status: 403, json: { error: "Forbidden" } } }),
    },
  ],
  inconclusive: [
    {
      name: "the hash in the user's own profile",
      document: apiDocument({ "/me": { get: {} } }, BEARER),
      identities,
      target: fakeApi({
        "GET /me": signedIn((incoming) => ({ json: { ...members[0], name: callerIn(incoming) } })),
      }),
    },
    {
      name: "a list that is open to everybody, which another check reports",
      document,
      identities,
      target: fakeApi({ "GET /members": { json: members } }),
    },
    { name: "a scan without a user", document, target: fakeApi({ "GET /members": { json: members } }) },
  ],
});

describe("secrets in several records", () => {
  it.each([
    ["two hashes", members, "/members", 1],
    ["one hash twice", [members[0], members[0]], "/members", 0],
    [
      "tokens without accounts",
      [1, 2].map((n) => ({ label: `k${n}`, accessToken: `abc${n}f0e9d8c7b6a5f4` })),
      "/keys",
      0,
    ],
    [
      "tokens where they are handed out",
      [1, 2].map((n) => ({ userId: n, accessToken: `abc${n}f0e9d8c7b6a5f4` })),
      "/sessions",
      0,
    ],
    ["nothing", [{ a: 1 }], "/a", 0],
  ])("secrets in several records of %s: the fields that are of several users", (_, records, path, count) => {
    expect(secretsAmong(records, { path }).shared).toHaveLength(count);
  });
});
