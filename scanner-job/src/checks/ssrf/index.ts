import type { Check } from "../../engine/check.ts";

export const ssrfChecks: readonly Check[] = [];
