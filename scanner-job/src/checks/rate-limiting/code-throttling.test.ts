import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import { vouchersApi, type VoucherRules } from "../../testing/vouchers-api.ts";
import check from "./code-throttling.ts";

const api = (name: string, rules: VoucherRules): CheckCase => ({
  name,
  mode: "active",
  ...vouchersApi(rules),
});

testCheck(check, {
  positive: [
    {
      ...api("codes that may be tried without a limit", { maxCodes: 1_000 }),
      count: 1,
      finding: { location: { method: "POST", path: "/me/verify" }, severity: "medium" },
    },
  ],
  negative: [api("codes that are limited to three", { maxCodes: 3 })],
  inconclusive: [
    api("an operation that refuses anything in the same way", { maxCodes: 1_000, codesAreNotJudged: true }),
    api("an API without registration", { maxCodes: 1_000, withoutRegistration: true }),
  ],
});
