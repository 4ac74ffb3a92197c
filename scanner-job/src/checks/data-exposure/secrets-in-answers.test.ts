import { expect } from "vitest";
import { jsonWebToken } from "../../attacks/forged-tokens.ts";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import secretsInAnswers from "./secrets-in-answers.ts";

const document = apiDocument({ "/config": { get: {} } });
const letters = "q7Rt2LkV9xZb4NwP0sYc8MdHfG3jTeA6uQ1o";
const responding = (json: unknown) => fakeApi({ "GET /": { json: {} }, "GET /config": { json } });

testCheck(secretsInAnswers, {
  positive: [
    {
      name: "a database's address with its password",
      document,
      target: responding({ database: "postgres://app:q7Rt2LkV@db.acme.test/app" }),
      finding: { severity: "high", location: { method: "GET", path: "/config" } },
      count: 1,
    },
    {
      name: "a payment key, which it does not repeat",
      document,
      target: responding({ key: ["sk", "live", letters].join("_") }),
      finding: { description: expect.stringContaining("payment key sk_l…") as string },
      count: 1,
    },
    {
      name: "a session token, with less certainty",
      document,
      target: responding({ note: jsonWebToken({ alg: "HS256" }, { sub: "7" }, letters) }),
      finding: { severity: "medium", confidence: "tentative" },
    },
    {
      name: "a credential in the response to a path that does not exist",
      document,
      target: fakeApi({
        "GET /": { json: {} },
        "GET /config": { json: {} },
        "* *": { status: 404, json: { debug: "postgres://app:q7Rt2LkV@db.acme.test/app" } },
      }),
      finding: { location: { method: "GET", path: "/" } },
      count: 1,
    },
    {
      name: "the password hashes of several accounts",
      document,
      target: responding([
        { user: "ada", digest: "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy" },
        { user: "grace", digest: "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWz" },
      ]),
      finding: { severity: "critical" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "the samples in the API's own document",
      document,
      target: responding({
        openapi: "3.1.0",
        servers: [{ url: "postgres://app:q7Rt2LkV@db.acme.test/app" }],
      }),
    },
    {
      name: "the token that a sign-in returns to its caller",
      document: apiDocument({
        "/session/login": {
          post: {
            requestBody: {
              content: {
                "application/json": {
                  schema: { properties: { username: { type: "string" }, password: { type: "string" } } },
                },
              },
            },
          },
        },
      }),
      target: fakeApi({
        "GET /": { json: {} },
        "POST /session/login": {
          json: { auth_token: jsonWebToken({ alg: "HS256" }, { sub: "7" }, letters) },
        },
      }),
    },
    {
      name: "identifiers, hashes and placeholders",
      document,
      target: responding({
        id: "0b9c1a52-6a4e-4a8e-9c55-54a0ff7b2f1d",
        sha: "3f786850e387550fdab836ed7e6dc881de23001b",
        sample: "postgres://user:password@localhost/db",
        map: "AIzaSyA-q7Rt2LkV9xZb4NwP0sYc8MdHfG3jTeA",
      }),
    },
  ],
  inconclusive: [
    {
      name: "a firewall that responds instead of the API",
      document,
      target: fakeApi({
        "* *": { status: 429, headers: { "retry-after": "0" }, json: { error: "Too many requests" } },
      }),
    },
  ],
});
