import { randomBytes } from "node:crypto";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import loginThrottling from "./login-throttling.ts";

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
const document = apiDocument({ "/login": taking("email", "password") });
const wrong = { status: 401, json: { error: "The name and the password do not match" } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };
const incomplete = { status: 400, json: { error: "email is required" } };

/** Judges attempts; `respond` gets the number of the attempt. */
function signIn(respond: (count: number) => FakeResponse, path: string = "/login") {
  let count = 0;
  return fakeApi({ [`POST ${path}`]: ({ body }) => (body === "{}" ? incomplete : respond(++count)) });
}

const randomWord = () =>
  randomBytes(9)
    .toString("base64")
    .replace(/[^a-z]/gi, "x");

testCheck(loginThrottling, {
  positive: [
    {
      name: "a sign-in that refuses every attempt in the same way",
      document,
      target: signIn(() => wrong),
      finding: { severity: "medium", location: { method: "POST", path: "/login" } },
      count: 1,
    },
    {
      name: "codes that may be tried in a financial API, where it weighs more",
      document: apiDocument({ "/verifications": taking("code") }),
      context: "financial",
      target: signIn(() => ({ status: 401, json: { error: "Wrong code" } }), "/verifications"),
      finding: { severity: "high" },
    },
    {
      name: "a sign-in that refuses an empty body like a wrong password",
      document,
      target: fakeApi({ "POST /login": wrong }),
    },
    {
      name: "resets that may be asked for without end",
      document: apiDocument({ "/password-resets": taking("email") }),
      target: signIn(() => ({ status: 404, json: { error: "No such account" } }), "/password-resets"),
    },
    {
      name: "a sign-in that fails where a name is unknown",
      document,
      target: fakeApi({
        "POST /login": ({ body }) =>
          body.includes("admin") ? wrong : { status: 500, json: { error: "User not found" } },
      }),
    },
    {
      name: "a sign-in whose refusals have other words each time",
      document,
      target: signIn((count) => ({
        status: 401,
        json: { error: ["Wrong password", "No, that is not it", "These credentials are invalid"][count % 3] },
      })),
    },
    {
      name: "a sign-in whose refusals have a random reference in them",
      document,
      target: signIn(() => ({
        status: 401,
        json: { error: `Wrong password (${randomWord()})`, trace: randomWord() },
      })),
    },
    {
      name: "a sign-in that is unavailable once, at its last attempt",
      document,
      target: signIn((count) => (count === 6 ? { status: 503, json: { error: "Try it again" } } : wrong)),
    },
  ],
  negative: [
    {
      name: "a sign-in that returns 429 after five attempts",
      document,
      target: signIn((count) =>
        count > 5 ? { status: 429, headers: { "Retry-After": "0" }, json: { error: "Wait" } } : wrong,
      ),
    },
    {
      name: "a sign-in that locks after five attempts",
      document,
      target: signIn((count) =>
        count > 5 ? { status: 401, json: { error: "Too many attempts, try again later" } } : wrong,
      ),
    },
    {
      name: "a sign-in that refuses with another status after five attempts",
      document,
      target: signIn((count) => (count > 5 ? { status: 403, json: { error: "No" } } : wrong)),
    },
    {
      name: "a sign-in that asks for a captcha after five attempts",
      document,
      target: signIn((count) => (count > 5 ? { status: 400, json: { error: "captcha_required" } } : wrong)),
    },
  ],
  inconclusive: [
    {
      name: "a sign-in that refuses the form of the attempts and compares no password",
      document,
      target: signIn(() => ({ status: 400, json: { message: '"email" must be a valid email' } })),
    },
    {
      name: "a sign-in whose every refusal says that the account may be locked",
      document,
      target: signIn(() => ({ status: 401, json: { error: "Wrong password, or the account is locked" } })),
    },
    {
      name: "a sign-in that fails from its fifth attempt on",
      document,
      target: signIn((count) => (count > 4 ? { status: 500, json: { error: "Internal" } } : wrong)),
    },
    {
      name: "a gateway that refuses everything in the same way",
      document,
      target: fakeApi({ "* *": wrong }),
    },
    {
      name: "a host that tells of any path what it was sent",
      document,
      target: fakeApi({
        "* *": ({ path, body }) => ({
          json: { path, members: Object.keys(JSON.parse(body || "{}") as object) },
        }),
      }),
    },
    {
      name: "a guard that refuses everything below a path in the same way",
      document: apiDocument({ "/admin/login": taking("email", "password") }),
      target: fakeApi({
        "GET /": { json: {} },
        "* /admin/login": unauthorized,
        "* /admin/{anything}": unauthorized,
      }),
    },
    {
      name: "a guard that refuses every method of the path in the same way",
      document,
      target: fakeApi({ "GET /": { json: {} }, "* /login": unauthorized }),
    },
    {
      name: "a gateway that wants a key of anyone who signs in, once the form is right",
      document,
      target: signIn(() => ({ status: 401, json: { message: "No API key found in request" } })),
    },
    {
      name: "a firewall in front of the sign-in",
      document,
      target: fakeApi({ "POST /login": { status: 403, body: "Request blocked" } }),
    },
    {
      name: "resets that are accepted for anybody, of which no second is sent",
      document: apiDocument({ "/password-resets": taking("email") }),
      target: signIn(() => ({ status: 202, json: { sent: true } }), "/password-resets"),
    },
    {
      name: "resets that fail where a name is unknown, since none is asked for a name that may be somebody's",
      document: apiDocument({ "/password-resets": taking("username") }),
      target: fakeApi({
        "POST /password-resets": ({ body }) =>
          body.includes("admin")
            ? { status: 403, json: { error: "Mail was sent already" } }
            : { status: 500, json: { error: "User not found" } },
      }),
    },
    {
      name: "an operation that refuses the form of every attempt",
      document,
      target: fakeApi({ "POST /login": incomplete }),
    },
    {
      name: "an API without a sign-in",
      document: apiDocument({ "/users": taking("email", "password") }),
      target: fakeApi({}),
    },
  ],
});
