import { PLANS, PLAN_NAMES, type Plan, type PlanLimits } from "@glovebox/contract";
import { MIN_INTERVAL_MINUTES } from "@glovebox/domain/schedule";
import { NO_INPUT, router, signedIn } from "./trpc.ts";

export interface PlanItem extends PlanLimits {
  readonly plan: Plan;
  /** The least minutes between two runs of a schedule; null: no schedules. */
  readonly minIntervalMinutes: number | null;
}

export const plansRouter = router({
  /** What every plan includes, the smallest first. It is the same for every account. */
  list: signedIn.input(NO_INPUT).query((): PlanItem[] =>
    PLAN_NAMES.map((plan) => ({
      ...{ plan, ...PLANS[plan] },
      minIntervalMinutes: MIN_INTERVAL_MINUTES[plan],
    })),
  ),
});
