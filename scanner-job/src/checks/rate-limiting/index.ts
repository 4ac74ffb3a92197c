import type { Check } from "../../engine/check.ts";

export const rateLimitingChecks: readonly Check[] = [];
