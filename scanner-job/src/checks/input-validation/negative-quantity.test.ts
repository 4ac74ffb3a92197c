import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import { vouchersApi, type VoucherRules } from "../../testing/vouchers-api.ts";
import check from "./negative-quantity.ts";

const api = (name: string, rules: VoucherRules): CheckCase => ({
  name,
  mode: "active",
  ...vouchersApi(rules),
});

testCheck(check, {
  positive: [
    {
      ...api("a negative quantity that is stored", { takesNegative: true }),
      count: 1,
      finding: { location: { method: "POST", path: "/things" }, severity: "medium" },
    },
  ],
  negative: [api("a negative quantity that is refused", {})],
  inconclusive: [
    api("an API that does not show the quantity", { takesNegative: true, tellsNothing: true }),
    api("an API without registration", { takesNegative: true, withoutRegistration: true }),
  ],
});
