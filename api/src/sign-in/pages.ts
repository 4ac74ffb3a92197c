import type { Services } from "../deps.ts";
import type { Route } from "../http/route.ts";
import { getInvitation, postInvitation } from "./invitation-pages.ts";
import { getConfirmation, postConfirmation } from "./confirmation-page.ts";
import { postOidcConsent } from "./oidc-consent.ts";
import { getOidc, getOidcCallback } from "./oidc-pages.ts";
import {
  getProfile,
  postPasskeyRegistration,
  postPasskeyRemoval,
  postPassword,
  postSessionEnd,
} from "./profile-pages.ts";
import {
  getPasskeyScript,
  getSignIn,
  getStyle,
  postPasskey,
  postSignIn,
  postSignOut,
  postSignOutEverywhere,
} from "./sign-in-pages.ts";

/** The pages of sign-in, for browsers. They are not part of /v1, and not in its document. */
export const SIGN_IN_PAGES: readonly Route<Services>[] = [
  getSignIn,
  postSignIn,
  postPasskey,
  getOidc,
  getOidcCallback,
  postOidcConsent,
  postSignOut,
  postSignOutEverywhere,
  getInvitation,
  postInvitation,
  getProfile,
  getConfirmation,
  postConfirmation,
  postPassword,
  postPasskeyRegistration,
  postPasskeyRemoval,
  postSessionEnd,
  getStyle,
  getPasskeyScript,
];
