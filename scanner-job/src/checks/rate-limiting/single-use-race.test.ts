import { testCheck } from "../../testing/test-check.ts";
import { vouchersCase } from "../../testing/vouchers-api.ts";
import check from "./single-use-race.ts";

testCheck(check, {
  positive: [
    {
      ...vouchersCase("a voucher that is credited to each of several requests at the same time", {
        reuse: "in parallel",
      }),
      count: 1,
      finding: { location: { method: "POST", path: "/things/{id}/redeem" }, severity: "medium" },
    },
  ],
  negative: [vouchersCase("a voucher that is credited once", {})],
  inconclusive: [
    vouchersCase("a voucher that is credited with each use, which is another weakness", { reuse: "always" }),
    vouchersCase("an API that does not show what the use is for", {
      reuse: "in parallel",
      tellsNothing: true,
    }),
    vouchersCase("an API without registration", { reuse: "in parallel", withoutRegistration: true }),
  ],
});
