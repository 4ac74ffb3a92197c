import { ApiError } from "@glovebox/contract";
import {
  actorOf,
  visitorActor,
  type Change,
  type Invitation,
  type InvitationResponse,
  type InvitationOutcome,
  type User,
} from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { PageRequest } from "./page.ts";

type Refusal = Exclude<InvitationOutcome["outcome"], "accepted">;

/** Why a link was not accepted. */
export const INVITATION_REFUSALS: Readonly<Record<Refusal, string>> = {
  invalid: "This link is not valid: it was used, has expired, or was withdrawn. Ask for a new one.",
  exists: "There is a user with the invited address. Sign in as that user, and open the link again.",
  taken: "This identity belongs to another user. Sign out, and open the link again.",
};

/** What somebody becomes who accepts it, for its page. */
export function describeInvitation({ email, accountName, role, isAdministrator }: Invitation): string {
  const parts = [
    accountName === null ? undefined : `${role} of the account “${accountName}”`,
    isAdministrator ? "administrator of this service" : undefined,
  ].filter((part) => part !== undefined);
  const whom = email === null ? "You become" : `${email} becomes`;
  return `${whom} ${parts.join(" and ") || "a user of this service"}.`;
}

/**
 * Uses a link once, with an entry in the audit log of its account.
 * @param sha256 of the token in the link
 * @throws ApiError `forbidden`
 */
export async function acceptInvitation(
  request: PageRequest,
  { store }: Services,
  { sha256, response }: { sha256: string; response: InvitationResponse },
): Promise<User> {
  const invitation = await store.invitations.find(sha256);
  const accepted = await store.changing(visitorActor(request))(
    async (tables): Promise<Change<Refusal | User>> => {
      const { invitations, users } = tables;
      const { outcome, userId } = await invitations.accept(sha256, response);
      const user = outcome === "accepted" ? await users.findById(userId) : undefined;
      if (!user || !invitation) return { result: outcome === "accepted" ? "invalid" : outcome, entry: null };
      const { accountId, role, isAdministrator } = invitation;
      const entry = {
        ...{ accountId, subject: user.email },
        ...(invitation.userId === null
          ? { action: "invitation.accept", after: { role, isAdministrator } }
          : { action: "user.setPassword" }),
      };
      return { result: user, entry, actor: actorOf(user, request) };
    },
  );
  if (typeof accepted === "string") throw new ApiError("forbidden", INVITATION_REFUSALS[accepted]);
  return accepted;
}
