import { testCheck } from "../../testing/test-check.ts";
import { vouchersCase } from "../../testing/vouchers-api.ts";
import check from "./negative-quantity.ts";

testCheck(check, {
  positive: [
    {
      ...vouchersCase("a negative quantity that is stored", { takesNegative: true }),
      count: 1,
      finding: { location: { method: "POST", path: "/things" }, severity: "medium" },
    },
  ],
  negative: [vouchersCase("a negative quantity that is refused", {})],
  inconclusive: [
    vouchersCase("an API that does not show the quantity", { takesNegative: true, tellsNothing: true }),
    vouchersCase("an API without registration", { takesNegative: true, withoutRegistration: true }),
  ],
});
