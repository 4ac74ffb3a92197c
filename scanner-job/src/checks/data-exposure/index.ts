import type { Check } from "../../engine/check.ts";

export const dataExposureChecks: readonly Check[] = [];
