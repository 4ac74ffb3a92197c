import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { sessionApi } from "../../testing/session-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import tokenAfterExpiry from "./token-after-expiry.ts";

const document = apiDocument({ "/orders": { get: {} } }, BEARER);
const login = {
  operation: "POST /sign-in",
  body: { email: "ann@larkfield.test", password: "correct-horse" },
};
const identities = [{ name: "ann", login }];

/** Each look at the clock takes this long. */
function clockOf(stepMs: number): () => number {
  let now = 0;
  return () => (now += stepMs);
}
const slow = clockOf(2_000);

testCheck(tokenAfterExpiry, {
  positive: [
    {
      name: "a token whose expiry is not verified",
      document,
      identities,
      now: clockOf(2_000),
      target: sessionApi({ expiresIn: 30 }).target,
      finding: { confidence: "confirmed", location: { method: "POST", path: "/sign-in" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a token that expires",
      document,
      identities,
      now: slow,
      target: sessionApi({ expiresIn: 30, now: slow }).target,
    },
  ],
  inconclusive: [
    {
      name: "a token that lives longer than the scan",
      document,
      identities,
      target: sessionApi({ expiresIn: 3_600 }).target,
    },
    {
      name: "a token that does not say when it expires",
      document,
      identities,
      target: sessionApi({}).target,
    },
  ],
});
