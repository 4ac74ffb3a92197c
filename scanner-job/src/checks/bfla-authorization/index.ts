import type { Check } from "../../engine/check.ts";
import anonymousAdminOperation from "./anonymous-admin-operation.ts";
import methodOverride from "./method-override.ts";
import undocumentedMethod from "./undocumented-method.ts";

export const bflaAuthorizationChecks: readonly Check[] = [
  anonymousAdminOperation,
  undocumentedMethod,
  methodOverride,
];
