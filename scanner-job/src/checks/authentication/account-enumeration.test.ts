import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import accountEnumeration from "./account-enumeration.ts";

const taking = (...names: string[]) => ({
  post: {
    requestBody: {
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
          },
        },
      },
    },
  },
});
const authors = { json: [{ username: "ada" }, { username: "grace" }] };
const document = apiDocument({ "/authors": { get: {} }, "/register": taking("username", "password") });
const registration = (respond: (username: string | undefined) => FakeResponse) =>
  fakeApi({
    "GET /authors": authors,
    "POST /register": ({ body }) => respond((JSON.parse(body) as { username?: string }).username),
  });
const question = apiDocument({
  "/authors": { get: {} },
  "/forgot/security-question": {
    get: { parameters: [{ name: "username", in: "query", required: true, schema: { type: "string" } }] },
  },
});
const asking = (respond: (username: string | null) => FakeResponse) =>
  fakeApi({
    "GET /authors": authors,
    "GET /forgot/security-question": ({ query }) => respond(query.get("username")),
  });

testCheck(accountEnumeration, {
  positive: [
    {
      name: "a registration that discloses that a name is taken",
      document,
      target: registration((username) =>
        username === "ada"
          ? { status: 409, json: { error: "User already exists" } }
          : { status: 400, json: { error: "password is required" } },
      ),
      finding: { severity: "medium", location: { method: "POST", path: "/register" } },
      count: 1,
    },
    {
      name: "a registration that knows the common administrator name",
      document: apiDocument({ "/users": taking("username", "password") }),
      target: fakeApi({
        "POST /users": ({ body }) =>
          body.includes('"admin"')
            ? { status: 409, json: { error: "User admin already exists" } }
            : { status: 400, json: { error: "password is required" } },
      }),
    },
    {
      name: "a security question that only existing users have",
      document: question,
      target: asking((username) =>
        username === "ada"
          ? { status: 403, json: { error: "Answer first" } }
          : { status: 404, json: { error: "No such user" } },
      ),
    },
    {
      name: "a check of a code that knows its users",
      document: apiDocument({ "/authors": { get: {} }, "/otp/verify": taking("username", "otp") }),
      target: fakeApi({
        "GET /authors": authors,
        "POST /otp/verify": ({ body }) => ({
          status: 400,
          json: { error: body.includes("ada") ? "Wrong code" : "Unknown user" },
        }),
      }),
    },
  ],
  negative: [
    {
      name: "a question with the same response for everybody",
      document: question,
      target: asking(() => ({ status: 404, json: { error: "No question" } })),
    },
  ],
  inconclusive: [
    {
      name: "a registration that accepts a body without a password, of which no second is sent",
      document,
      target: registration(() => ({ status: 202, json: { message: "Look into your mail" } })),
    },
    {
      name: "a registration that refuses for another reason than the missing password",
      document,
      target: registration((username) =>
        username === undefined
          ? { status: 400, json: { error: "username is required" } }
          : { status: 409, json: { error: "User already exists" } },
      ),
    },
    {
      name: "a registration that validates the body first",
      document,
      target: registration(() => ({ status: 400, json: { error: "password is required" } })),
    },
    {
      name: "an API that shows no names",
      document: apiDocument({ "/register": taking("username", "password") }),
      target: registration(() => ({ status: 409, json: { error: "User already exists" } })),
    },
    {
      name: "a firewall",
      document: question,
      target: asking(() => ({ status: 403, body: "Request blocked" })),
    },
  ],
});
