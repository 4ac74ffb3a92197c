import { markup, type Markup } from "@glovebox/report";
import type { Passkey, Session, SessionRow } from "@glovebox/store";
import { field, problemNote } from "./layout.ts";
import { confirmationPath } from "./page.ts";
import { MIN_PASSWORD_LENGTH } from "./passwords.ts";
import { providerLinks } from "./provider-links.ts";
import type { SignIn } from "./sign-in.ts";

export interface Profile {
  readonly session: Session;
  readonly hasPassword: boolean;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly SessionRow[];
  readonly signIn: SignIn;
  /** For `navigator.credentials.create`, as JSON. */
  readonly passkeyOptions: string;
  readonly problem: string | undefined;
  /** What was just done, as the query says. */
  readonly done: string | null;
}

const DONE: Readonly<Record<string, string>> = {
  password: "The password was changed, and your other sessions have ended.",
  passkey: "The passkey was added, and your other sessions have ended. From now on sign-in asks for it.",
  removed: "The passkey was removed.",
  linked: "You can now sign in with that provider.",
  ended: "The session has ended.",
};

export function profileContent(profile: Profile): Markup {
  const { session, done, problem, signIn } = profile;
  const note = done !== null && Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  const links = providerLinks(signIn, { link: "1" }, "Link");
  const canChange = session.isConfirmed;
  return markup`${problemNote(problem)}${problem === undefined && note ? markup`<p class="done" role="status">${note}</p>` : null}
    <p>${session.user.name} <span class="muted">${session.user.email}</span></p>
    <p><a href="/">Back to the dashboard</a></p>
    ${signIn.acceptsPasswords && profile.hasPassword ? passwordSection(session) : null}
    ${canChange ? null : confirmSection}
    ${passkeySection(profile)}
    ${
      links && canChange
        ? markup`<h2>Providers</h2>
            ${links}`
        : null
    }
    ${sessionSection(profile)}`;
}

const passwordSection = ({ user }: Session): Markup =>
  markup`<h2>Password</h2>
    <form method="post" action="/profile/password">
      <input type="hidden" name="username" autocomplete="username" value="${user.email}" />
      ${field({ name: "current", label: "Current password", type: "password", autocomplete: "current-password" })}
      ${field({ name: "password", label: "New password", type: "password", autocomplete: "new-password", help: `At least ${MIN_PASSWORD_LENGTH} characters. Your other sessions end.` })}
      <div><button>Change password</button></div>
    </form>`;

/** Passkeys and providers are changed by whoever has given the password or a passkey just before. */
const confirmSection = markup`<h2>Passkeys and providers</h2>
  <p class="help">To add or remove a passkey or to link a provider, confirm that it is you.</p>
  <p><a class="button" href="${confirmationPath("/profile")}">Confirm that it is you</a></p>`;

const passkeySection = ({ session, passkeys, passkeyOptions }: Profile): Markup =>
  markup`<h2>Passkeys</h2>
    <p class="help">With a passkey or a security key, nobody can sign in with your password alone.</p>
    <ul class="rows">
      ${passkeys.map(
        ({ id, name, createdAt, lastUsedAt }) =>
          markup`<li>
            <span
              >${name}
              <span class="muted"
                >added ${day(createdAt)}, last used ${lastUsedAt ? day(lastUsedAt) : "never"}</span
              ></span
            >
            ${session.isConfirmed ? removalForm({ id, name }) : null}
          </li>`,
      )}
    </ul>
    ${session.isConfirmed ? registrationForm(passkeyOptions) : null}`;

const removalForm = ({ id, name }: Pick<Passkey, "id" | "name">): Markup =>
  markup`<form method="post" action="/profile/passkeys/remove">
    <input type="hidden" name="id" value="${id}" />
    <button aria-label="Remove ${name}">Remove</button>
  </form>`;

const registrationForm = (options: string): Markup =>
  markup`<form method="post" action="/profile/passkeys" data-create="${options}">
    ${field({ name: "name", label: "Name of the new passkey", autocomplete: "off" })}
    <input type="hidden" name="answer" value="" />
    <p class="problem" role="alert" data-problem hidden>The browser did not create a passkey. Try again.</p>
    <div><button>Add passkey</button></div>
  </form>`;

const sessionSection = ({ sessions, session }: Profile): Markup =>
  markup`<h2>Sessions</h2>
    <ul class="rows">
      ${sessions.map(
        ({ id, seenAt, ip, agent }) =>
          markup`<li>
            <span
              >${agent ?? "Unknown browser"} <span class="muted">${ip ?? ""} ${moment(seenAt)}</span></span
            >
            ${
              id === session.sessionId
                ? markup`<strong>This one</strong>`
                : markup`<form method="post" action="/profile/sessions/end">
                    <input type="hidden" name="id" value="${id}" /><button>End</button>
                  </form>`
            }
          </li>`,
      )}
    </ul>
    <form method="post" action="/sign-out/everywhere">
      <div><button>Sign out everywhere</button></div>
    </form>`;

const day = (date: Date): string => date.toISOString().slice(0, 10);
const moment = (date: Date): string => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
