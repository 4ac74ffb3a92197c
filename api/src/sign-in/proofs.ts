import type { Passkey } from "@glovebox/store";
import type { Services } from "../deps.ts";

export async function proofsOf(
  { store, signIn }: Pick<Services, "store" | "signIn">,
  userId: string,
): Promise<{ readonly hasPassword: boolean; readonly passkeys: readonly Passkey[] }> {
  const [user, passkeys] = await Promise.all([store.users.findById(userId), store.passkeys.list(userId)]);
  return { hasPassword: signIn.acceptsPasswords && typeof user?.passwordHash === "string", passkeys };
}
