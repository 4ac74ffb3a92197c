import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import { vouchersApi, type VoucherRules } from "../../testing/vouchers-api.ts";
import check from "./single-use.ts";

const api = (name: string, rules: VoucherRules): CheckCase => ({
  name,
  mode: "active",
  ...vouchersApi(rules),
});

testCheck(check, {
  positive: [
    {
      ...api("a voucher that is credited with each use", { reuse: "always" }),
      count: 1,
      finding: { location: { method: "POST", path: "/things/{id}/redeem" }, severity: "high" },
    },
  ],
  negative: [
    api("a voucher that is refused the second time", {}),
    api("a voucher that can only be used again in parallel", { reuse: "in parallel" }),
  ],
  inconclusive: [
    api("an API that does not show what the use is for", { reuse: "always", tellsNothing: true }),
    api("an API without registration", { reuse: "always", withoutRegistration: true }),
  ],
});
