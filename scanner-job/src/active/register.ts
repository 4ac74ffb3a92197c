import { ANONYMOUS, identitySchema, MAX_SELF_REGISTERED, type Identity } from "@glovebox/contract";
import { findTokens } from "../identities/find-token.ts";
import { corrected } from "../inventory/corrections.ts";
import type { Operation } from "../inventory/operation.ts";
import { validationErrors } from "../inventory/validation-errors.ts";
import { isRejectedInput, isSuccess } from "../oracles/classify.ts";
import { CREATION, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import type { WriteJournal } from "../writes/journal.ts";
import { markedText } from "./marked-text.ts";
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
  const { journal } = deps;
  const { method, path } = operation.location;
  const { user, response } = await register(operation, userNamed(freeName(journal), journal), deps);
  if (!isSuccess(response) && response.redirectTarget === undefined)
    return `${method} ${path} refused to register a user, with status ${response.status}.`;
  const write = journal.writeOf(response)!;
  for (const identity of identitiesOf(name, user, { response, operations: deps.operations })) {
    if (!(await deps.signIn(identity))) continue;
    journal.registered(name, user.name, write);
    return undefined;
  }
  return `${method} ${path} registered ${user.name}, who could not sign in: a verification may be needed.`;
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
  user: NewUser,
  { journal, send, hide }: Pick<RegisterDeps, "journal" | "send" | "hide">,
): Promise<{ user: NewUser; response: ProbeResponse }> {
  const sent = (content: unknown) =>
    send({ ...operation.request({ content, form: CREATION }), as: ANONYMOUS });
  hide(user.password);
  const content = registrationBody(operation, user);
  const response = await sent(content);
  if (!isRejectedInput(response)) return { user, response };
  const errors = validationErrors(response.json ?? response.body.slice(0, 1_000));
  const namesPassword = /passw/i.test(response.body.slice(0, 4_096));
  const next = namesPassword ? withDocumentedPassword(operation, user, journal) : user;
  hide(next.password);
  const demanded = corrected(operation, { content }, { errors, seen: () => undefined })?.content ?? content;
  const again = { ...Object(demanded), ...Object(registrationBody(operation, next)) };
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
