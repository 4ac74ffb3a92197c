import type { Check } from "../../engine/check.ts";
import accountEnumeration from "./account-enumeration.ts";
import credentialInQuery from "./credential-in-query.ts";
import declaredButNotEnforced from "./declared-but-not-enforced.ts";
import defaultCredentials from "./default-credentials.ts";
import garbageCredentialAccepted from "./garbage-credential-accepted.ts";
import guessableTokenKey from "./guessable-token-key.ts";
import loginEnumeration from "./login-enumeration.ts";
import missingAuthentication from "./missing-authentication.ts";
import oidcMetadata from "./oidc-metadata.ts";
import registrationWithoutPassword from "./registration-without-password.ts";
import sessionCookieFlags from "./session-cookie-flags.ts";
import tokenKeyAddress from "./token-key-address.ts";
import tokenHeaderInjection from "./token-header-injection.ts";
import tokenKeyConfusion from "./token-key-confusion.ts";
import tokenSignatureNotVerified from "./token-signature-not-verified.ts";
import unsignedTokenAccepted from "./unsigned-token-accepted.ts";
import refreshTokenReuse from "./refresh-token-reuse.ts";
import sessionAfterSignOut from "./session-after-sign-out.ts";
import sessionFixation from "./session-fixation.ts";
import tokenAfterExpiry from "./token-after-expiry.ts";
import sessionAfterPasswordChange from "./session-after-password-change.ts";

export const authenticationChecks: readonly Check[] = [
  missingAuthentication,
  declaredButNotEnforced,
  garbageCredentialAccepted,
  tokenSignatureNotVerified,
  unsignedTokenAccepted,
  guessableTokenKey,
  tokenHeaderInjection,
  tokenKeyAddress,
  tokenKeyConfusion,
  loginEnumeration,
  accountEnumeration,
  registrationWithoutPassword,
  defaultCredentials,
  credentialInQuery,
  sessionCookieFlags,
  oidcMetadata,
  refreshTokenReuse,
  sessionAfterSignOut,
  sessionFixation,
  tokenAfterExpiry,
  sessionAfterPasswordChange,
];
