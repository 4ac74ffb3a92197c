import { markup } from "@glovebox/report";
import type { Passkey } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { HttpResponse } from "../http/respond.ts";
import { giveChallenge } from "./sign-in-cookies.ts";
import type { PageRequest } from "./page.ts";
import { signInOptions } from "./passkeys.ts";

/** The step of a sign-in that asks for one of the user's passkeys. Nobody is signed in before it. */
export async function askForPasskey(
  { publicUrl, show }: PageRequest,
  { store }: Services,
  step: {
    userId: string;
    next: string;
    passkeys: readonly Passkey[];
    cookies?: readonly string[];
    problem?: string;
  },
): Promise<HttpResponse> {
  const { userId, next, passkeys, cookies = [], problem } = step;
  const { challenge, options } = await signInOptions(passkeys, publicUrl);
  const cookie = await giveChallenge(store, { userId, purpose: "signIn", challenge });
  return show({
    title: "Confirm with your passkey",
    usesPasskeys: true,
    status: problem === undefined ? 200 : 401,
    cookies: [...cookies, cookie],
    body: markup`<p>Your account also requires a passkey or a security key.</p>
      <form method="post" action="/sign-in/passkey" data-get="${options}">
        <input type="hidden" name="answer" value="" />
        <input type="hidden" name="next" value="${next}" />
        <p class="problem" role="alert" data-problem${problem === undefined ? markup` hidden` : null}>
          ${problem ?? "The browser did not return a passkey. Try again."}
        </p>
        <button class="primary">Use passkey</button>
      </form>
      <p class="or">Lost it? An administrator can remove it: <code>glovebox users reset</code>.</p>`,
  });
}
