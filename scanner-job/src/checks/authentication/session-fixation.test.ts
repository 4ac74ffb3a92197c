import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { sessionApi } from "../../testing/session-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sessionFixation from "./session-fixation.ts";

const document = apiDocument({ "/orders": { get: {} } }, BEARER);
const login = {
  operation: "POST /sign-in",
  form: { email: "ann@larkfield.test", password: "correct-horse" },
};
const identities = [{ name: "ann", login }];

testCheck(sessionFixation, {
  positive: [
    {
      name: "a session that keeps its id",
      document,
      identities,
      target: sessionApi({ by: "cookie", renewsId: false }).target,
      finding: { severity: "medium", confidence: "confirmed", location: { method: "GET", path: "/orders" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a session that gets another id",
      document,
      identities,
      target: sessionApi({ by: "cookie" }).target,
    },
  ],
  inconclusive: [
    { name: "an API with tokens alone", document, identities, target: sessionApi({}).target },
    {
      name: "a scan in which nobody signs in",
      document,
      target: sessionApi({ by: "cookie", renewsId: false }).target,
    },
  ],
});
