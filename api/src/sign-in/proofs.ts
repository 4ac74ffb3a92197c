import type { Passkey } from "@glovebox/store";
import type { Services } from "../deps.ts";

/** What a user has to confirm with that it is them, beside a session. */
export interface Proofs {
  readonly hasPassword: boolean;
  readonly passkeys: readonly Passkey[];
}

export async function proofsOf(
  { store, signIn }: Pick<Services, "store" | "signIn">,
  userId: string,
): Promise<Proofs> {
  const [user, passkeys] = await Promise.all([store.users.findById(userId), store.passkeys.list(userId)]);
  return { hasPassword: signIn.acceptsPasswords && typeof user?.passwordHash === "string", passkeys };
}
