import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import destructiveWithoutSecurity from "./destructive-without-security.ts";

const open = { get: { security: [] } };
const target = fakeApi({ "GET /": { json: { ok: true } } });

testCheck(destructiveWithoutSecurity, {
  positive: [
    {
      name: "a reset of the database that is declared for everybody",
      document: apiDocument({ "/users": { get: {} }, "/createdb": open }, BEARER),
      target,
      finding: { confidence: "tentative", location: { method: "GET", path: "/createdb" } },
      count: 1,
    },
    {
      name: "a deletion that alone declares nothing",
      document: apiDocument(
        {
          "/users/{id}": { get: { security: [{ bearer: [] }] }, delete: {} },
        },
        { components: BEARER.components },
      ),
      target,
      finding: { location: { method: "DELETE", path: "/users/{id}" } },
    },
  ],
  negative: [
    {
      name: "a deletion with security",
      document: apiDocument({ "/users/{id}": { delete: {} }, "/logout": open }, BEARER),
      target,
    },
  ],
  inconclusive: [
    {
      name: "a document that declares security for nothing",
      document: apiDocument({ "/users/{id}": { get: {}, delete: {} } }),
      target,
    },
  ],
});
