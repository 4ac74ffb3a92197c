import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { sessionApi } from "../../testing/session-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import refreshTokenReuse from "./refresh-token-reuse.ts";

const document = apiDocument({ "/orders": { get: {} } }, BEARER);
const login = {
  operation: "POST /sign-in",
  body: { email: "ann@larkfield.test", password: "correct-horse" },
  refresh: { operation: "POST /refresh", body: { token: "/refresh_token" } },
};
const identities = [{ name: "ann", login }];

testCheck(refreshTokenReuse, {
  positive: [
    {
      name: "a token that was replaced and is valid all the same",
      document,
      identities,
      target: sessionApi({ refresh: "rotated, all valid" }).target,
      finding: { severity: "medium", confidence: "firm", location: { method: "POST", path: "/refresh" } },
      count: 1,
    },
    {
      name: "a token that is never replaced as low",
      document,
      identities,
      target: sessionApi({ refresh: "never rotated" }).target,
      finding: { severity: "low", confidence: "tentative" },
    },
  ],
  negative: [
    {
      name: "a token that is accepted once",
      document,
      identities,
      target: sessionApi({ refresh: "rotated once" }).target,
    },
  ],
  inconclusive: [
    {
      name: "a refresh that does not look at its token",
      document,
      identities,
      target: sessionApi({ refresh: "ignored" }).target,
    },
    { name: "a refresh that is not found", document, identities, target: sessionApi({}).target },
    {
      name: "an identity that does not refresh",
      document,
      identities: [{ name: "ann", login: { ...login, refresh: undefined } }],
      target: sessionApi({ refresh: "rotated, all valid" }).target,
    },
  ],
});
