import { testCheck } from "../../testing/test-check.ts";
import { vouchersCase } from "../../testing/vouchers-api.ts";
import check from "./skipped-step.ts";

testCheck(check, {
  positive: [
    {
      ...vouchersCase("a thing that can be shipped before it is paid", { shipsUnpaid: true }),
      count: 1,
      finding: {
        location: { method: "POST", path: "/things/{id}/ship" },
        severity: "high",
        confidence: "firm",
      },
    },
  ],
  negative: [vouchersCase("a thing that is shipped once it is paid", {})],
  inconclusive: [
    vouchersCase("an API that does not show the state", { shipsUnpaid: true, tellsNothing: true }),
    vouchersCase("an API without registration", { shipsUnpaid: true, withoutRegistration: true }),
  ],
});
