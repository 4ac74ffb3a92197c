import type { AdminRouter } from "@glovebox/api/admin";
import { createTRPCClient, httpBatchLink, type TRPCClient } from "@trpc/client";

/** Signs in with a password at the public URL of the service. The client sends the cookie of the session. */
export async function signIn(
  publicUrl: string,
  credentials: { email: string; password: string },
): Promise<TRPCClient<AdminRouter>> {
  const { origin } = new URL(publicUrl);
  const body = new URLSearchParams(credentials);
  const request = { method: "POST", headers: { origin }, body, redirect: "manual" } as const;
  const answer = await fetch(`${origin}/sign-in`, request);
  const cookie = answer.headers.getSetCookie().find((each) => each.startsWith("__Host-glovebox="));
  if (cookie === undefined) throw new Error(`The sign-in was refused: ${answer.status}.`);
  const headers = { origin, cookie: cookie.split(";")[0] };
  return createTRPCClient<AdminRouter>({
    links: [httpBatchLink({ url: `${origin}/admin/trpc`, headers })],
  });
}
