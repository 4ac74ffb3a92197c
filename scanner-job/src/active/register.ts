import { ANONYMOUS, identitySchema, MAX_SELF_REGISTERED, type Identity } from "@glovebox/contract";
import { findTokens } from "../identities/find-token.ts";
import { corrected } from "../inventory/corrections.ts";
import type { Operation } from "../inventory/operation.ts";
import { validationErrors } from "../inventory/validation-errors.ts";
import { isRejectedInput, isSuccess } from "../oracles/classify.ts";
import { CREATION, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import type { FurtherUsers } from "../writes/active-target.ts";
import { markedText, type WriteJournal } from "../writes/journal.ts";
import {
  loginsOf,
  registrationBody,
  registrationsIn,
  signInsIn,
  userNamed,
  userNamesOf,
  withDocumentedPassword,
  type NewUser,
} from "./user.ts";

export interface RegisterDeps {
  readonly operations: readonly Operation[];
  readonly journal: WriteJournal;
  /** Names that identities of the scan have already. */
  readonly taken: readonly string[];
  /** Each request is sent, and never from a cache. @throws NetworkError */
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
  /** Masks a secret from now on. */
  readonly hide: (secret: string) => void;
  /** Makes somebody a caller of the scan; false where the sign-in failed. */
  readonly signIn: (identity: Identity) => Promise<boolean>;
}

/** Registers users and signs in as them: `self-1`, `self-2`. @throws NetworkError */
export async function registerUsers(
  deps: RegisterDeps,
): Promise<{ readonly names: readonly string[]; readonly note?: string }> {
  const [operation] = registrationsIn(deps.operations);
  if (!operation) return { names: [], note: "No operation was found at which anybody may register." };
  const names: string[] = [];
  for (let index = 0; index < MAX_SELF_REGISTERED; index++) {
    const name = `self-${index + 1}`;
    if (deps.journal.accounts.some((account) => account.name === name)) {
      names.push(name);
      continue;
    }
    if (deps.taken.includes(name)) return { names, note: `Another identity is named ${name}.` };
    const note = await registerOne(operation, name, deps);
    if (note !== undefined) return { names, note };
    names.push(name);
  }
  return { names };
}

/** Why that failed; undefined where it did not. */
async function registerOne(
  operation: Operation,
  name: string,
  deps: RegisterDeps,
): Promise<string | undefined> {
  const { method, path } = operation.location;
  const { user, response, isSignedIn } = await registerAs(operation, { name }, deps);
  if (isRefused(response))
    return `${method} ${path} refused to register a user, with status ${response.status}.`;
  return isSignedIn
    ? undefined
    : `${method} ${path} registered ${user.name}, who could not sign in: a verification may be needed.`;
}

const isRefused = (response: ProbeResponse): boolean =>
  !isSuccess(response) && response.redirectTarget === undefined;

/** A user that an operation was asked to register. */
interface Asked {
  readonly user: NewUser;
  readonly response: ProbeResponse;
  readonly isSignedIn: boolean;
}

/** Registers a user, with further members of the body, and signs in as this caller. */
async function registerAs(
  operation: Operation,
  { name, more }: { name: string; more?: object },
  deps: RegisterDeps,
): Promise<Asked> {
  const { journal } = deps;
  const user = userNamed(freeName(journal), journal);
  const { user: taken, response } = await register(operation, { user, more }, deps);
  if (isRefused(response)) return { user: taken, response, isSignedIn: false };
  const isSignedIn = await signedIn(name, taken, { response, deps });
  if (isSignedIn) journal.registered(name, taken.name, journal.writeOf(response)!);
  return { user: taken, response, isSignedIn };
}

async function signedIn(
  name: string,
  user: NewUser,
  { response, deps }: { response: ProbeResponse; deps: RegisterDeps },
): Promise<boolean> {
  for (const identity of identitiesOf(name, user, { response, operations: deps.operations }))
    if (await deps.signIn(identity)) return true;
  return false;
}

/** Further users of a scan, at most: each check that needs one registers it twice where it finds something. */
const MAX_FURTHER = 6;

/** Registers users for checks that change them, or end their sessions. Undefined where nobody could register. */
export function furtherUsers(deps: RegisterDeps): FurtherUsers | undefined {
  const { journal } = deps;
  const [operation] = registrationsIn(deps.operations);
  if (!operation || journal.accounts.length < MAX_SELF_REGISTERED) return undefined;
  // An earlier attempt may have registered some.
  let count = journal.accounts.length;
  return {
    operation,
    async register(send, more) {
      if (count >= MAX_SELF_REGISTERED + MAX_FURTHER) return undefined;
      const caller = `self-${++count}`;
      const { user, response, isSignedIn } = await registerAs(
        operation,
        { name: caller, ...(more && { more }) },
        { ...deps, send },
      );
      if (!isSignedIn) return { response };
      return { response, user: { caller, password: user.password, signInWith } };

      async function signInWith(password: string): Promise<boolean> {
        deps.hide(password);
        return signedIn(caller, { ...user, password }, { response, deps });
      }
    },
  };
}

/** A name that no attempt of the scan has sent: the API may refuse to take one twice. */
function freeName(journal: WriteJournal): string {
  const noted = journal.earlier.map(({ marked }) => marked);
  const sent = new Set([...noted, ...journal.writes.map((write) => markedText(write, journal.marker))]);
  return userNamesOf(journal).find((name) => !sent.has(name)) ?? journal.marker;
}

/** Sends the registration, and once more as its refusal demands. */
async function register(
  operation: Operation,
  { user, more }: { user: NewUser; more: object | undefined },
  { journal, send, hide }: Pick<RegisterDeps, "journal" | "send" | "hide">,
): Promise<{ user: NewUser; response: ProbeResponse }> {
  const sent = (content: unknown) =>
    send({ ...operation.request({ content, form: CREATION }), as: ANONYMOUS });
  hide(user.password);
  const content = { ...Object(registrationBody(operation, user)), ...more };
  const response = await sent(content);
  if (!isRejectedInput(response)) return { user, response };
  const errors = validationErrors(response.json ?? response.body.slice(0, 1_000));
  const namesPassword = /passw/i.test(response.body.slice(0, 4_096));
  const next = namesPassword ? withDocumentedPassword(operation, user, journal) : user;
  hide(next.password);
  const demanded = corrected(operation, { content }, { errors, seen: () => undefined })?.content ?? content;
  const again = { ...Object(demanded), ...Object(registrationBody(operation, next)), ...more };
  return { user: next, response: await sent(again) };
}

/** The ways in which the user may be signed in: by an operation, else by the token that the registration returned. */
export function identitiesOf(
  name: string,
  user: NewUser,
  { response, operations }: { response?: ProbeResponse; operations: readonly Operation[] },
): Identity[] {
  const access = response && findTokens(response).access;
  const logins = signInsIn(operations)
    .slice(0, MAX_SIGN_INS)
    .flatMap((each) => loginsOf(each, user));
  const parsed = [
    ...logins.map((login) => ({ name, login })),
    ...(access === undefined ? [] : [{ name, headers: { authorization: `Bearer ${access}` } }]),
  ].map((each) => identitySchema.safeParse(each));
  return parsed.flatMap(({ data }) => data ?? []);
}

/** Operations that sign in, at most: each that refuses counts as a failed sign-in. */
const MAX_SIGN_INS = 3;
