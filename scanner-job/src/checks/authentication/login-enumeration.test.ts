import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import loginEnumeration from "./login-enumeration.ts";

const body = (
  name: string,
  properties: object = { [name]: { type: "string" }, password: { type: "string" } },
) => ({
  requestBody: { content: { "application/json": { schema: { type: "object", properties } } } },
});
const document = apiDocument({ "/doctors": { get: {} }, "/sessions": { post: body("email") } });
const doctors = { json: { doctors: [{ id: 1, email: "ada@larkfield.test" }] } };
const wrong = { status: 401, json: { error: "The name and the password do not match" } };

const signIn = (respond: (name: string) => FakeResponse) =>
  fakeApi({
    "GET /doctors": doctors,
    "POST /sessions": ({ body }) => respond((JSON.parse(body) as { email: string }).email),
  });

const form = (message: string): string =>
  `<html><p>${message}</p><form method="post" action="/login"><input type="hidden" name="token" value="${crypto.randomUUID().replaceAll("-", "x")}">
   <input name="user"><input type="password" name="password"><button>Log in</button></form></html>`;

testCheck(loginEnumeration, {
  positive: [
    {
      name: "a sign-in that says with status 200 what was wrong",
      document: apiDocument({ "/login": { post: body("username") } }),
      target: fakeApi({
        "POST /login": ({ body }) => ({
          json: { message: body.includes('"admin"') ? "Password incorrect" : "User not found" },
        }),
      }),
    },
    {
      name: "a sign-in that does not find unknown addresses",
      document,
      target: signIn((name) =>
        name === "ada@larkfield.test"
          ? { status: 401, json: { error: "Wrong password" } }
          : { status: 404, json: { error: `No account for ${name}` } },
      ),
      finding: { severity: "medium", location: { method: "POST", path: "/sessions" } },
      count: 1,
    },
    {
      name: "other words with the same status, for the common name of an administrator",
      document: apiDocument({ "/login": { post: body("username") } }),
      target: fakeApi({
        "POST /login": ({ body }) => ({
          status: 401,
          json: { error: body.includes('"admin"') ? "Wrong password" : "Unknown user" },
        }),
      }),
    },
    {
      name: "a fault for unknown names and a refusal for known ones",
      document: apiDocument({ "/login": { post: body("username") } }),
      target: fakeApi({
        "POST /login": ({ body }) =>
          body.includes('"admin"')
            ? { status: 401, json: { error: "Unauthorized" } }
            : { status: 500, json: {} },
      }),
    },
    {
      name: "a form whose page discloses which of the two was wrong, with a token that changes each time",
      target: fakeApi({
        "GET /": { status: 302, headers: { location: "/login" } },
        "GET /login": { headers: { "content-type": "text/html" }, body: form("") },
        "POST /login": ({ body }) => ({
          headers: { "content-type": "text/html" },
          body: form(body.includes("user=admin&") ? "Invalid password" : "Invalid username"),
        }),
      }),
      finding: { location: { method: "POST", path: "/login" } },
    },
    {
      name: "the name of the document's example",
      document: apiDocument({
        "/login": {
          post: body("username", {
            username: { type: "string", example: "erin" },
            password: { type: "string" },
          }),
        },
      }),
      target: fakeApi({
        "POST /login": ({ body }) => ({
          status: 401,
          json: { error: body.includes('"erin"') ? "Wrong password" : "Unknown user" },
        }),
      }),
    },
  ],
  negative: [
    {
      name: "a form with the same page for all, with a token that changes each time",
      target: fakeApi({
        "GET /": { headers: { "content-type": "text/html" }, body: form("") },
        "POST /login": { headers: { "content-type": "text/html" }, body: form("Invalid name or password") },
      }),
    },
    {
      name: "texts about administrators, with the name repeated",
      document: apiDocument({ "/login": { post: body("username") } }),
      target: fakeApi({
        "POST /login": ({ body }) => ({
          status: 401,
          json: {
            error: `${(JSON.parse(body) as { username: string }).username} is no administrator. Ask admin-team.`,
          },
        }),
      }),
    },
    {
      name: "a sign-in whose responses name the administrator",
      document: apiDocument({ "/login": { post: body("username") } }),
      target: fakeApi({
        "POST /login": { status: 401, json: { error: "Wrong. Ask your administrator or admins@acme.test" } },
      }),
    },
    { name: "a sign-in with a constant response", document, target: signIn(() => wrong) },
    {
      name: "a sign-in that repeats the name and numbers its responses",
      document,
      target: signIn((name) => ({
        status: 401,
        json: { error: `${name} could not sign in`, request: Date.now() },
      })),
    },
  ],
  inconclusive: [
    {
      name: "a firewall in front of the sign-in",
      document,
      target: signIn(() => ({ status: 403, body: "Request blocked" })),
    },
    {
      name: "responses that differ each time",
      document,
      target: signIn(() => ({
        status: 401,
        json: { hint: Math.random() > 0 ? crypto.randomUUID().replace(/[\d-]/g, "") : "" },
      })),
    },
    {
      name: "an account that attempts before have locked",
      document,
      target: signIn((name) =>
        name === "ada@larkfield.test"
          ? { status: 403, json: { error: "Too many attempts: the account is locked" } }
          : wrong,
      ),
    },
    {
      name: "a fault for every name",
      document,
      target: signIn(() => ({ status: 500, json: { error: "Something broke" } })),
    },
    {
      name: "an operation that takes no password",
      document: apiDocument({ "/sessions": { post: body("email", { email: { type: "string" } }) } }),
      target: signIn(() => wrong),
    },
  ],
});
