import type { Check } from "../engine/check.ts";
import { authenticationChecks } from "./authentication/index.ts";
import { bflaAuthorizationChecks } from "./bfla-authorization/index.ts";
import { bolaAuthorizationChecks } from "./bola-authorization/index.ts";
import { dataExposureChecks } from "./data-exposure/index.ts";
import { encryptionChecks } from "./encryption/index.ts";
import { inputValidationChecks, timeChecks } from "./input-validation/index.ts";
import { inventoryManagementChecks } from "./inventory-management/index.ts";
import { llmSecurityChecks } from "./llm-security/index.ts";
import { propertyAuthorizationChecks } from "./property-authorization/index.ts";
import { rateLimitingChecks } from "./rate-limiting/index.ts";
import { ssrfChecks } from "./ssrf/index.ts";
import { unsafeConsumptionChecks } from "./unsafe-consumption/index.ts";

/** Every check, in the specification's order of categories; those that take long come last. */
export const CHECKS: readonly Check[] = [
  ...authenticationChecks,
  ...bolaAuthorizationChecks,
  ...bflaAuthorizationChecks,
  ...propertyAuthorizationChecks,
  ...inputValidationChecks,
  ...rateLimitingChecks,
  ...dataExposureChecks,
  ...encryptionChecks,
  ...ssrfChecks,
  ...inventoryManagementChecks,
  ...unsafeConsumptionChecks,
  ...llmSecurityChecks,
  ...timeChecks,
];
