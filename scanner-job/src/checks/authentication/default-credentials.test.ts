import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import defaultCredentials from "./default-credentials.ts";

const signIn = (example?: object) =>
  apiDocument({
    "/login": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              ...(example && { example }),
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
const document = signIn();
const token: FakeResponse = { json: { token: "k3J9sLq0vB7nX2aZ" } };
const wrong: FakeResponse = { status: 401, json: { error: "Wrong name or password" } };

function judging(
  isRight: (pair: { username?: string; password?: string }) => boolean,
  right: FakeResponse = token,
) {
  return fakeApi({
    "POST /login": ({ body }) =>
      isRight(JSON.parse(body) as { username?: string; password?: string }) ? right : wrong,
  });
}

testCheck(defaultCredentials, {
  positive: [
    {
      name: "an administrator whose password is the name",
      document,
      target: judging(({ username, password }) => username === "admin" && password === "admin"),
      finding: { severity: "critical", location: { method: "POST", path: "/login" } },
      count: 1,
    },
    {
      name: "the example of the document",
      document: signIn({ username: "ada", password: "lovelace1" }),
      target: judging(({ username, password }) => username === "ada" && password === "lovelace1"),
    },
    {
      name: "a session cookie as the response",
      document,
      target: judging(({ username, password }) => username === "admin" && password === username, {
        headers: { "set-cookie": "sessionid=3k4j5h6k7j8h; HttpOnly" },
        json: { ok: true },
      }),
    },
  ],
  negative: [
    { name: "a log-in that refuses them all", document, target: judging(() => false) },
    {
      name: "one that returns 200 and says that it failed",
      document,
      target: judging(({ username }) => username === "admin", { json: { success: false, token: null } }),
    },
  ],
  inconclusive: [
    { name: "a log-in that accepts everything", document, target: judging(() => true) },
    {
      name: "a log-in that throttles",
      document,
      target: fakeApi({ "POST /login": { status: 429, headers: { "retry-after": "0" }, json: {} } }),
    },
  ],
});
