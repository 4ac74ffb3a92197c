import type { Check } from "../../engine/check.ts";

export const encryptionChecks: readonly Check[] = [];
