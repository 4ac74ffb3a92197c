import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import credentialInQuery from "./credential-in-query.ts";

const target = fakeApi({ "GET /": { json: { name: "Test API" } } });
const taking = (path: string, name: string) =>
  apiDocument({ [path]: { get: { parameters: [{ name, in: "query", schema: { type: "string" } }] } } });
const key = (location: string) => ({
  components: { securitySchemes: { key: { type: "apiKey", in: location, name: "key" } } },
});

testCheck(credentialInQuery, {
  positive: [
    {
      name: "an API key that is declared in the query",
      document: apiDocument({ "/users": { get: {} } }, key("query")),
      target,
      finding: { severity: "medium", location: { method: "GET", path: "/", parameter: "key" } },
      count: 1,
    },
    {
      name: "an operation that takes an access token in the query",
      document: taking("/session", "access_token"),
      target,
      finding: { location: { method: "GET", path: "/session", parameter: "access_token" } },
      count: 1,
    },
  ],
  negative: [
    { name: "a bearer scheme", document: apiDocument({ "/users": { get: {} } }, BEARER), target },
    {
      name: "an API key in a header",
      document: apiDocument({ "/users": { get: {} } }, key("header")),
      target,
    },
    { name: "a page token", document: taking("/users", "page_token"), target },
    { name: "the token of a link that is good once", document: taking("/password/reset", "token"), target },
  ],
  inconclusive: [
    {
      name: "a document without schemes and query parameters",
      document: apiDocument({ "/a": { get: {} } }),
      target,
    },
  ],
});
