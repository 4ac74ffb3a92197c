import { objectOf, withMember } from "../json.ts";
import type { Field, Operation } from "./operation.ts";
import { isOneTimeCode, isPassword, isUserName, outerFields, signInFields, type Bodied } from "./sign-in.ts";
import { MALFORMED, WRONG_ATTEMPT, type ProbeRequest } from "../transport/exchange.ts";

/** What an operation lets its caller try: passwords, resets of them, or one-time codes. */
export type AttemptKind = "sign-ins" | "password resets" | "one-time codes";

/** The kind of an operation that takes such attempts, by its path and body; undefined for all others. */
export function attemptKind(facts: Bodied): AttemptKind | undefined {
  if (facts.method !== "POST" || !facts.body || !MEDIA_TYPE.test(facts.body.mediaType)) return undefined;
  const names = outerFields(facts).map(({ name }) => name);
  if (RESET_PATH.test(facts.path)) return names.some(isUserName) ? "password resets" : undefined;
  if (CODE_PATH.test(facts.path) && names.some(isOneTimeCode)) return "one-time codes";
  return signInFields(facts) ? "sign-ins" : undefined;
}

/** The credentials of an attempt; the user name must be one that cannot exist. */
export interface Attempt {
  readonly user: string;
  readonly password: string;
  readonly code: string;
}

/** An attempt for a user who cannot exist: it creates no session, resets nothing and sends no mail. */
export function attemptRequest(operation: Operation, attempt: Attempt): ProbeRequest {
  const values = Object.fromEntries(outerFields(operation.facts).flatMap((field) => valueOf(field, attempt)));
  return operation.request({
    content: withSample(operation, values),
    form: WRONG_ATTEMPT,
  });
}

/** The body of the operation's example with these members, by their dotted paths, in it. */
export const withSample = (
  { facts }: Operation,
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.entries(members).reduce(
    (content, [path, value]) => objectOf(withMember(content, path, value)),
    objectOf(facts.body?.sample),
  );

/** The same operation with an empty body: its response to missing input. */
export const emptyAttempt = (operation: Operation): ProbeRequest =>
  operation.request({ content: {}, form: MALFORMED });

function valueOf(
  { path, name, type, format }: Field,
  { user, password, code }: Attempt,
): [string, unknown][] {
  if (isPassword(name)) return [[path, password]];
  if (isOneTimeCode(name)) return [[path, type === "integer" || type === "number" ? Number(code) : code]];
  if (!isUserName(name)) return [];
  return [[path, format === "email" || /mail/i.test(name) ? `${user}@glovebox.invalid` : user]];
}

const MEDIA_TYPE = /json|x-www-form-urlencoded/i;
const RESET_PATH =
  /\/(forgot(ten)?[-_]?password|password[-_/]?(resets?|forgot(ten)?|recover(y|ies)?)|(reset|recover)[-_]?password|resets?|recovery)\/?$/i;
const CODE_PATH =
  /\/([\w-]*(otp|2fa|mfa|totp|one-?time)[\w-]*|verif(y|ications?)([-_]code)?|codes?|challenges?)(\/|$)/i;
