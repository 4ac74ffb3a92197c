import type { Check } from "../../engine/check.ts";

export const inventoryManagementChecks: readonly Check[] = [];
