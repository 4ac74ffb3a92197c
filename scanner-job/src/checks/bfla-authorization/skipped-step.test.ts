import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import { vouchersApi, type VoucherRules } from "../../testing/vouchers-api.ts";
import check from "./skipped-step.ts";

const api = (name: string, rules: VoucherRules): CheckCase => ({
  name,
  mode: "active",
  ...vouchersApi(rules),
});

testCheck(check, {
  positive: [
    {
      ...api("a thing that can be shipped before it is paid", { shipsUnpaid: true }),
      count: 1,
      finding: {
        location: { method: "POST", path: "/things/{id}/ship" },
        severity: "high",
        confidence: "firm",
      },
    },
  ],
  negative: [api("a thing that is shipped once it is paid", {})],
  inconclusive: [
    api("an API that does not show the state", { shipsUnpaid: true, tellsNothing: true }),
    api("an API without registration", { shipsUnpaid: true, withoutRegistration: true }),
  ],
});
