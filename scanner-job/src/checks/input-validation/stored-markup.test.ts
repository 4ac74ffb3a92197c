import { testCheck, type CheckCase } from "../../testing/test-check.ts";
import { vouchersApi, type VoucherRules } from "../../testing/vouchers-api.ts";
import check from "./stored-markup.ts";

const api = (name: string, rules: VoucherRules): CheckCase => ({
  name,
  mode: "active",
  ...vouchersApi(rules),
});

testCheck(check, {
  positive: [
    {
      ...api("a title that a page shows unescaped", { page: "unescaped" }),
      count: 1,
      finding: { location: { method: "POST", path: "/things" }, severity: "high" },
    },
  ],
  negative: [
    api("a title that a page shows escaped", { page: "escaped" }),
    api("markup that is the text of a title element", { page: "in a title" }),
  ],
  inconclusive: [
    api("an API that returns JSON only", { page: "as JSON" }),
    api("an API without registration", { page: "unescaped", withoutRegistration: true }),
  ],
});
