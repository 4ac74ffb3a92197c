import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import { vouchersApi, type VoucherRules } from "../../testing/vouchers-api.ts";
import check from "./single-use-race.ts";

const api = (name: string, rules: VoucherRules): CheckCase => ({
  name,
  mode: "active",
  ...vouchersApi(rules),
});

testCheck(check, {
  positive: [
    {
      ...api("a voucher that is credited to each of several requests at the same time", {
        reuse: "in parallel",
      }),
      count: 1,
      finding: { location: { method: "POST", path: "/things/{id}/redeem" }, severity: "medium" },
    },
  ],
  negative: [api("a voucher that is credited once", {})],
  inconclusive: [
    api("a voucher that is credited with each use, which is another weakness", { reuse: "always" }),
    api("an API that does not show what the use is for", { reuse: "in parallel", tellsNothing: true }),
    api("an API without registration", { reuse: "in parallel", withoutRegistration: true }),
  ],
});
