import { testCheck } from "../../testing/test-check.ts";
import { vouchersCase } from "../../testing/vouchers-api.ts";
import check from "./single-use.ts";

testCheck(check, {
  positive: [
    {
      ...vouchersCase("a voucher that is credited with each use", { reuse: "always" }),
      count: 1,
      finding: { location: { method: "POST", path: "/things/{id}/redeem" }, severity: "high" },
    },
  ],
  negative: [
    vouchersCase("a voucher that is refused the second time", {}),
    vouchersCase("a voucher that can only be used again in parallel", { reuse: "in parallel" }),
  ],
  inconclusive: [
    vouchersCase("an API that does not show what the use is for", { reuse: "always", tellsNothing: true }),
    vouchersCase("an API without registration", { reuse: "always", withoutRegistration: true }),
  ],
});
