import { randomBytes } from "node:crypto";
import { hashSecret, newToken, type Store } from "@glovebox/store";
import { type Role } from "@glovebox/contract";
import { Passwords } from "../sign-in/passwords.ts";
import { newAccount } from "./harness.ts";

export const PASSWORD = "correct horse battery";
let passwordHash: Promise<string> | undefined;

export interface TestUser {
  readonly userId: string;
  readonly email: string;
  readonly accountId: string;
  readonly accountName: string;
}

/** A new user with PASSWORD and this role in a new account. */
export async function newUser(
  store: Store,
  { role = "owner", isAdministrator = false }: { role?: Role; isAdministrator?: boolean } = {},
): Promise<TestUser> {
  const { account } = await newAccount(store);
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const sha256 = hashSecret(newToken());
  const membership = { accountId: account.id, role };
  await store.invitations.create({ sha256, email, membership, isAdministrator, days: 7 });
  const hash = await (passwordHash ??= new Passwords().hash(PASSWORD));
  const accepted = await store.invitations.accept(sha256, { name: "Ada", passwordHash: hash });
  return { userId: accepted.userId!, email, accountId: account.id, accountName: account.name };
}
