import { testCheck } from "../../testing/test-check.ts";
import { vouchersCase } from "../../testing/vouchers-api.ts";
import check from "./code-throttling.ts";

testCheck(check, {
  positive: [
    {
      ...vouchersCase("codes that may be tried without a limit", { maxCodes: 1_000 }),
      count: 1,
      finding: { location: { method: "POST", path: "/me/verify" }, severity: "medium" },
    },
  ],
  negative: [vouchersCase("codes that are limited to three", { maxCodes: 3 })],
  inconclusive: [
    vouchersCase("a target that becomes slower as a whole", { maxCodes: 1_000, slowsDown: true }),
    vouchersCase("a token that is no longer accepted after three codes", { maxCodes: 3, endsSession: true }),
    vouchersCase("an operation that refuses anything in the same way", {
      maxCodes: 1_000,
      codesAreNotJudged: true,
    }),
    vouchersCase("an API without registration", { maxCodes: 1_000, withoutRegistration: true }),
  ],
});
