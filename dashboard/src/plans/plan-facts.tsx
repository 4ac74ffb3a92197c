import type { Plan } from "@glovebox/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Facts } from "../parts/page.tsx";
import { featuresInWords } from "../parts/words.ts";
import { trpc } from "../trpc.ts";

/** The limits and features of a plan. */
export function PlanFacts({ plan }: { plan: Plan }): ReactNode {
  const { data = [] } = useQuery(trpc.plans.list.queryOptions({}));
  const found = data.find((each) => each.plan === plan);
  if (!found) return null;
  const { requestsPerMinute, scansPerMonth, features, minIntervalMinutes } = found;
  return (
    <Facts
      facts={{
        "Requests per minute": requestsPerMinute.toLocaleString("en"),
        "Scans per month": scansPerMonth?.toLocaleString("en") ?? "Unlimited",
        Features: featuresInWords(features),
        "Schedules at most every": minIntervalMinutes === null ? null : `${minIntervalMinutes} minutes`,
      }}
    />
  );
}
