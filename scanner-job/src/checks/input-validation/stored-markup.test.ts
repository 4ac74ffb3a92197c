import { testCheck } from "../../testing/test-check.ts";
import { vouchersCase } from "../../testing/vouchers-api.ts";
import check from "./stored-markup.ts";

testCheck(check, {
  positive: [
    {
      ...vouchersCase("a title that a page shows unescaped", { page: "unescaped" }),
      count: 1,
      finding: { location: { method: "POST", path: "/things" }, severity: "high" },
    },
  ],
  negative: [
    vouchersCase("a title that a page shows escaped", { page: "escaped" }),
    vouchersCase("markup that is the text of a title element", { page: "in a title" }),
  ],
  inconclusive: [
    vouchersCase("an API that returns JSON only", { page: "as JSON" }),
    vouchersCase("an API without registration", { page: "unescaped", withoutRegistration: true }),
  ],
});
