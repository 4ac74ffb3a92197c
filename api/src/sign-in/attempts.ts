import { normalEmail } from "@glovebox/contract";
import { visitorActor } from "@glovebox/store";
import type { Services } from "../deps.ts";
import { networksOf } from "../limits/client-network.ts";
import { knownBrowser } from "./known-browser.ts";
import type { PageRequest } from "./page.ts";
import { TooManyAttempts } from "./throttle.ts";
import type { Waiting } from "../limits/turns.ts";

/** What was typed as the address, for the audit log; not if it is none, since it may be a password in the wrong field. */
export const subjectOf = (typed: string): string => normalEmail(typed) ?? "not an e-mail address";

/**
 * Counts an attempt to sign in, and slows it. Returns how the password of the attempt is to wait for its turn.
 * @throws TooManyAttempts; the first of a minute is in the audit log, so that an attack does not fill it
 */
export async function countAttempt(
  request: PageRequest,
  services: Services,
  { subject, name = subject, userId }: { subject: string; name?: string; userId: string | undefined },
): Promise<Waiting> {
  const browser = await knownBrowser(request, services, userId);
  try {
    await services.signIn.throttle({ address: request.ip, name, knownBrowser: browser });
    return browser === undefined
      ? { lane: networksOf(request.ip).at(-1)!.key }
      : { lane: `browser:${browser}`, isKnown: true };
  } catch (error) {
    if (error instanceof TooManyAttempts && error.isFirst)
      await record(request, services, { action: "session.throttle", subject });
    throw error;
  }
}

/** Records who was not let in, whether or not the user exists: the response takes the same time. */
export async function recordRefusal(
  request: PageRequest,
  services: Services,
  { subject, reason }: { subject: string; reason: "password" | "passkey" | "disabled" },
): Promise<void> {
  services.logger.info({ reason }, "sign-in refused");
  await record(request, services, { action: "session.refuse", subject, after: { reason } });
}

const record = (
  request: PageRequest,
  { store }: Services,
  entry: { action: string; subject: string; after?: Readonly<Record<string, unknown>> },
): Promise<void> => store.changing(visitorActor(request))(async () => ({ result: undefined, entry }));
