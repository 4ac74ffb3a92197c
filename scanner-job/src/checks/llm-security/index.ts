import type { Check } from "../../engine/check.ts";

export const llmSecurityChecks: readonly Check[] = [];
