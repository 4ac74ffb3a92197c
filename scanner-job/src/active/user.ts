import { loginSchema, type Login } from "@glovebox/contract";
import { atPath, withMember } from "../json.ts";
import { lettersOf, ofSameForm } from "../names.ts";
import type { Field, Operation } from "../inventory/operation.ts";
import { isRegistration, isUserName, namesPassword, signInFields, topLevel } from "../inventory/sign-in.ts";
import { isReference } from "../writes/active-policy.ts";
import type { WriteJournal } from "../writes/journal.ts";
import { derivedBytes } from "./derived.ts";

/** A user that the scan registers. */
export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The seed of the scan, and the marker in all that it creates. */
type Seeded = Pick<WriteJournal, "seed" | "marker">;

/** Names of users: the marker and a letter, without a sign that a user name may not have. */
export const userNamesOf = ({ marker }: Pick<Seeded, "marker">): string[] =>
  [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => marker + letter);

/** The user of a name, the same in each attempt of the scan. Pure. */
export const userNamed = (name: string, { seed }: Pick<Seeded, "seed">): NewUser => ({
  name,
  email: `${name}@glovebox.invalid`,
  password: `Gb-${derivedBytes(seed, `password of ${name}`, 9).toString("base64url")}7x`,
});

/** Operations that anybody may register at, those that say so in their path first. Pure. */
export const registrationsIn = (operations: readonly Operation[]): Operation[] =>
  operations
    .filter(({ facts }) => isRegistration(facts) && isSelfService(facts.body?.fields ?? []))
    .toSorted((one, other) => rankOf(one) - rankOf(other));

const rankOf = ({ facts: { path, security } }: Operation): number =>
  (/regist|sign-?up|enroll|join/i.test(path) ? 0 : 1) + (security === "required" ? 2 : 0);

/** It takes a password, and nothing that only a person, an invitation or a mailbox could give. */
const isSelfService = (fields: readonly Field[]): boolean =>
  fields.some(({ path }) => namesPassword(path)) &&
  !fields.some(({ name, required }) => required && NOT_SELF_SERVICE.test(lettersOf(name)));

const NOT_SELF_SERVICE =
  /captcha|turnstile|invit|otp$|verificationcode|activationcode|emailcode|smscode|licen[cs]ekey/;

/** Operations that a user signs in at, those that take an e-mail address or a name in JSON first. Pure. */
export const signInsIn = (operations: readonly Operation[]): Operation[] =>
  operations
    .filter(({ facts }) => signInFields(facts) && /json|urlencoded/i.test(facts.body!.mediaType))
    .toSorted((one, other) => Number(isForm(one)) - Number(isForm(other)));

const isForm = ({ facts }: Operation): boolean => !/json/i.test(facts.body!.mediaType);

/** The body that registers a user: what is required, and who the user is. Nothing else is claimed. Pure. */
export function registrationBody({ facts: { body } }: Operation, user: NewUser): unknown {
  const fields = (body?.fields ?? []).filter(({ path, readOnly }) => !path.includes("[") && !readOnly);
  const isGroup = ({ path }: Field): boolean => fields.some((other) => other.path.startsWith(`${path}.`));
  return fields
    .filter((field) => !isGroup(field))
    .reduce<unknown>((content, field) => {
      const value = valueFor(field, user) ?? (field.required ? atPath(body?.sample, field.path) : undefined);
      return value === undefined ? content : withMember(content, field.path, value);
    }, {});
}

function valueFor({ name, path, type, format }: Field, user: NewUser): unknown {
  if (namesPassword(path)) return user.password;
  if (format === "email" || /e?mail/i.test(name)) return user.email;
  if (type === "boolean" && /^(accept|agree|terms|tos|consent)/i.test(name)) return true;
  if (type !== "string" || /phone|mobile|msisdn/i.test(name)) return undefined;
  return isUserName(name) || /^(first|last|full|display|given|family)?_?name$/i.test(name)
    ? user.name
    : undefined;
}

/** The same user with a password like the one in the document, which has the length and the characters that it asks for. */
export function withDocumentedPassword(
  { facts: { body } }: Operation,
  user: NewUser,
  { seed }: Pick<Seeded, "seed">,
): NewUser {
  const field = body?.fields.find(({ path }) => namesPassword(path));
  const sample = field && atPath(body?.sample, field.path);
  if (typeof sample !== "string" || sample.length < 8) return user;
  const bytes = derivedBytes(seed, `characters of ${user.name}`, sample.length);
  return { ...user, password: ofSameForm(sample, (size, position) => 1 + (bytes[position]! % (size - 1))) };
}

/** How the user signs in at an operation. Pure. */
function loginOf(operation: Operation, user: NewUser): Login {
  const { facts, location } = operation;
  const fields = signInFields(facts)!;
  const isMail = fields.user.format === "email" || /mail/i.test(fields.user.name);
  const needed = topLevel(facts.body!.fields).filter(
    ({ required, name }) => required && !isReference(name) && name !== fields.user.name,
  );
  const sample = Object.fromEntries(needed.map(({ path }) => [path, atPath(facts.body!.sample, path)]));
  const credentials = {
    ...sample,
    [fields.user.path]: isMail ? user.email : user.name,
    [fields.password.path]: user.password,
  };
  return loginSchema.parse({
    operation: `POST ${location.path}`,
    ...(isForm(operation) ? { form: credentials } : { body: credentials }),
  });
}

/** The sign-in by the other name of the user, where the field may take both. Pure. */
export function loginsOf(operation: Operation, user: NewUser): Login[] {
  const login = loginOf(operation, user);
  const { user: field } = signInFields(operation.facts)!;
  if (/mail|phone|mobile/i.test(field.name) || field.format === "email") return [login];
  return [login, loginOf(operation, { ...user, name: user.email })];
}
