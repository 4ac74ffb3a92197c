import { randomBytes } from "node:crypto";
import { hashSecret, newToken, type Account, type Store } from "@glovebox/store";
import { type Role } from "@glovebox/contract";
import { createTRPCClient, httpBatchLink, type TRPCClient } from "@trpc/client";
import type { AdminRouter } from "../admin/router.ts";

export interface SignedIn {
  readonly userId: string;
  /** The header of a request. */
  readonly cookie: string;
  readonly client: TRPCClient<AdminRouter>;
}

/** A new user with this role in the account, signed in, and a client of the admin interface as a page would have it. */
export async function signIn(
  { store, url }: { readonly store: Store; readonly url: string },
  account: Account,
  { role = "owner", isAdministrator = false }: { role?: Role; isAdministrator?: boolean } = {},
): Promise<SignedIn> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const identity = { issuer: "https://id.example", subject: email };
  const userId = (await store.users.createFromProvider({ email, name: "Ada" }, identity))!;
  await store.users.setRole(userId, account.id, role);
  if (isAdministrator) await store.users.setAdministrator(userId, true);
  const token = newToken();
  const sha256 = hashSecret(token);
  await store.sessions.create({ sha256, userId, ip: null, agent: null, hasSecondFactor: false });
  const cookie = `__Host-glovebox=${token}`;
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const client = createTRPCClient<AdminRouter>({
    links: [httpBatchLink({ url: `${url}/admin/trpc?account=${account.id}`, headers })],
  });
  return { userId, cookie, client };
}
