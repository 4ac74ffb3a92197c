import type { Check } from "../../engine/check.ts";
import declaredButNotEnforced from "./declared-but-not-enforced.ts";
import garbageCredentialAccepted from "./garbage-credential-accepted.ts";
import unsignedTokenAccepted from "./unsigned-token-accepted.ts";

export const authenticationChecks: readonly Check[] = [
  declaredButNotEnforced,
  garbageCredentialAccepted,
  unsignedTokenAccepted,
];
