import type { Check } from "../../engine/check.ts";

export const propertyAuthorizationChecks: readonly Check[] = [];
