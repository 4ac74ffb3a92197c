import type { InvitationOutcome } from "@glovebox/store";

/** Why a link was not accepted. */
export const INVITATION_REFUSALS: Readonly<
  Record<Exclude<InvitationOutcome["outcome"], "accepted">, string>
> = {
  invalid: "This link is not valid: it was used, has expired, or was withdrawn. Ask for a new one.",
  exists: "There is a user with the invited address. Sign in as that user, and open the link again.",
  taken: "This identity belongs to another user. Sign out, and open the link again.",
};
