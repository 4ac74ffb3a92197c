import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import graphqlSuggestions from "./graphql-suggestions.ts";

/** Knows the field `users`, and no schema is shown. */
const endpoint = (suggest: boolean, status = 400) =>
  fakeApi({
    "GET /graphql": { status: 405 },
    "POST /graphql": ({ body }) => {
      const { query = "" } = JSON.parse(body) as { query?: string };
      if (query === "{__typename}") return { json: { data: { __typename: "Query" } } };
      if (status === 429) return { status, headers: { "retry-after": "0" }, json: {} };
      const hint = suggest && /\buser/.test(query) ? ' Did you mean "users"?' : "";
      return { status, json: { errors: [{ message: `Cannot query field "user" on type "Query".${hint}` }] } };
    },
  });

testCheck(graphqlSuggestions, {
  positive: [
    {
      name: "an error that suggests a field",
      target: endpoint(true),
      finding: { severity: "info", location: { method: "POST", path: "/graphql" } },
      count: 1,
    },
  ],
  negative: [{ name: "errors without suggestions", target: endpoint(false) }],
  inconclusive: [
    { name: "a host without GraphQL", target: fakeApi({ "GET /": { json: {} } }) },
    { name: "an endpoint that throttles", target: endpoint(true, 429) },
  ],
});
