import type { AdminRouter } from "@glovebox/api/admin";
import { createTRPCClient, httpBatchLink, type TRPCClient } from "@trpc/client";

/**
 * Signs in with a password at the public URL of the service. Each call of the client sends the cookie of the session, and names
 * the account that it is about: the user's first one, by name.
 */
export async function signIn(
  publicUrl: string,
  credentials: { email: string; password: string },
): Promise<TRPCClient<AdminRouter>> {
  const { origin } = new URL(publicUrl);
  const body = new URLSearchParams(credentials);
  const request = { method: "POST", headers: { origin }, body, redirect: "manual" } as const;
  const response = await fetch(`${origin}/sign-in`, request);
  const cookie = response.headers.getSetCookie().find((each) => each.startsWith("__Host-glovebox="));
  if (cookie === undefined) throw new Error(`The sign-in was refused: ${response.status}.`);
  const headers = { origin, cookie: cookie.split(";")[0] };
  const clientOf = (query = "") =>
    createTRPCClient<AdminRouter>({
      links: [httpBatchLink({ url: `${origin}/admin/trpc${query}`, headers })],
    });
  const { memberships } = await clientOf().session.me.query({});
  return clientOf(memberships[0] && `?account=${memberships[0].accountId}`);
}
