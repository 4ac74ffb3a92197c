import type { Feature } from "@glovebox/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PLAN_LABELS } from "../parts/words.ts";
import { trpc } from "../trpc.ts";

const names = new Intl.ListFormat("en");

/** Says which plans include the feature. */
export function PlansWith({ feature }: { feature: Feature }): ReactNode {
  const { data = [] } = useQuery(trpc.plans.list.queryOptions({}));
  const including = data.filter(({ features }) => features.includes(feature));
  return (
    including.length > 0 && `It is part of ${names.format(including.map(({ plan }) => PLAN_LABELS[plan]))}.`
  );
}
