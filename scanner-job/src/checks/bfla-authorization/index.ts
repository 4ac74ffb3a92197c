import type { Check } from "../../engine/check.ts";

export const bflaAuthorizationChecks: readonly Check[] = [];
