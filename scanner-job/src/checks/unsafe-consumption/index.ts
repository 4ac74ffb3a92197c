import type { Check } from "../../engine/check.ts";

export const unsafeConsumptionChecks: readonly Check[] = [];
