import type { Check } from "../../engine/check.ts";
import adminOperationAsUser from "./admin-operation-as-user.ts";
import adminWriteAsUser from "./admin-write-as-user.ts";
import anonymousAdminOperation from "./anonymous-admin-operation.ts";
import authAfterValidation from "./auth-after-validation.ts";
import deniedOperation from "./denied-operation.ts";
import destructiveWithoutSecurity from "./destructive-without-security.ts";
import methodOverride from "./method-override.ts";
import rewriteHeaderBypass from "./rewrite-header-bypass.ts";
import roleCheckBypass from "./role-check-bypass.ts";
import roleHint from "./role-hint.ts";
import unguardedMutation from "./unguarded-mutation.ts";
import undocumentedMethod from "./undocumented-method.ts";
import unguardedSibling from "./unguarded-sibling.ts";
import versionDowngrade from "./version-downgrade.ts";
import skippedStep from "./skipped-step.ts";

export const bflaAuthorizationChecks: readonly Check[] = [
  adminOperationAsUser,
  adminWriteAsUser,
  roleCheckBypass,
  anonymousAdminOperation,
  unguardedSibling,
  unguardedMutation,
  destructiveWithoutSecurity,
  undocumentedMethod,
  methodOverride,
  rewriteHeaderBypass,
  roleHint,
  authAfterValidation,
  versionDowngrade,
  deniedOperation,
  skippedStep,
];
