import type { Check } from "../../engine/check.ts";

export const authenticationChecks: readonly Check[] = [];
