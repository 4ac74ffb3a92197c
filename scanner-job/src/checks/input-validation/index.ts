import type { Check } from "../../engine/check.ts";

export const inputValidationChecks: readonly Check[] = [];
