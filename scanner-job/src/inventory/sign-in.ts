import { lettersOf } from "../names.ts";
import type { Field, OperationFacts } from "./operation.ts";
import { bodyPathOf } from "./serialization.ts";

/** The fields of a body that hold who signs in, and the password. */
export interface SignInFields {
  readonly user: Field;
  readonly password: Field;
}

/**
 * The fields of an operation that signs in with a name and a password; undefined for all others, such as registrations, which
 * also want to know who somebody is, and changes of a password, which want it twice.
 */
export function signInFields(facts: Bodied): SignInFields | undefined {
  const { method, path, body, operationId = "" } = facts;
  if (method !== "POST" || !body || !(asksForPassword(facts) || signsIn(path, operationId))) return undefined;
  if (namesRegistration(facts)) return undefined;
  const outer = outerFields(facts);
  const letters = outer.map(({ name }) => lettersOf(name));
  if (letters.some((name) => SECOND_PASSWORD.test(name) || PROFILE.test(name))) return undefined;
  const user = outer.find(({ name }) => isUserName(name));
  const password = outer.find(({ name }) => isPassword(name));
  return user && password && { user, password };
}

/** True for an operation that by its path, operationId or summary registers an account. */
export const isRegistration = (facts: Bodied): boolean =>
  facts.method === "POST" &&
  signInFields(facts) === undefined &&
  (REGISTRATION.test(facts.path) || namesRegistration(facts));

const namesRegistration = ({ path, operationId = "", summary = "" }: Bodied): boolean =>
  REGISTERS_BY_SUMMARY.test(summary) ||
  [...path.split("/").filter((segment) => !segment.startsWith("{")), operationId].some((name) =>
    REGISTERS.test(lettersOf(name)),
  );

/**
 * The fields with the password, and with it again, of an operation that registers an account by a name and a password; undefined
 * for all others.
 */
export function registrationPasswords(facts: Bodied): readonly Field[] | undefined {
  const { method, path, body } = facts;
  if (method !== "POST" || !body || !REGISTRATION.test(path) || signInFields(facts)) return undefined;
  const outer = outerFields(facts);
  const passwords = outer.filter(
    ({ name }) =>
      isPassword(name) || SECOND_PASSWORD.test(lettersOf(name)) || /^(verify|confirm)$/i.test(name),
  );
  return outer.some(({ name }) => isUserName(name)) && passwords.some(({ name }) => isPassword(name))
    ? passwords
    : undefined;
}

/** The fields of an operation by which somebody who is signed in changes the own password. */
export interface PasswordChange {
  readonly current: readonly Field[];
  /** The new password, and the same again. */
  readonly next: readonly Field[];
}

/** Undefined for all other operations: sign-ins, registrations, and resets, which name a user. */
export function passwordChange(facts: Bodied): PasswordChange | undefined {
  const { method = "", path, operationId = "", body } = facts;
  if (!["POST", "PUT", "PATCH"].includes(method) || !body || path.includes("{")) return undefined;
  if (!CHANGES_PASSWORD.test(lettersOf(`${path} ${operationId}`)) || namesRegistration(facts))
    return undefined;
  const outer = outerFields(facts);
  const current = outer.filter(({ name }) => CURRENT_PASSWORD.test(lettersOf(name)));
  const next = outer.filter((field) => !current.includes(field) && namesPassword(field.path));
  const namesUser = outer.some(
    ({ name, path: at }) => isUserName(name) || (isOneTimeCode(name) && !namesPassword(at)),
  );
  return next.length > 0 && !namesUser ? { current, next } : undefined;
}

const CHANGES_PASSWORD = /passw(or)?d/;
const CURRENT_PASSWORD = /^(current|old|previous|existing)(password|passwd|pass|pwd)?$/;

/** The page of a form that asks for a password, as the response of the operation that the form calls: it was not accepted. */
export const isOwnForm = (
  { status, mediaType }: { readonly status: number; readonly mediaType: string },
  { facts }: { readonly facts: Bodied },
): boolean =>
  status === 200 &&
  mediaType === "text/html" &&
  (signInFields(facts) !== undefined || registrationPasswords(facts) !== undefined);

const REGISTRATION =
  /\/(register|registrations?|sign-?up|enroll(ment)?|(create|new)[-_]?(user|account)|users?|accounts?|members?|customers?)\/?$/i;

export type Bodied = Pick<OperationFacts, "path" | "body" | "operationId"> &
  Partial<Pick<OperationFacts, "method" | "summary" | "parameters" | "graphqlField" | "graphqlMutation">>;

/** The fields of an operation's body, and of GraphQL the arguments: by the path at which the body has them. */
export function outerFields({ body, parameters = [], graphqlField }: Bodied): readonly Field[] {
  if (graphqlField === undefined) return topLevel(body?.fields ?? []);
  return parameters.map(({ name, type, required }) => ({
    path: bodyPathOf({ in: "graphql", name }),
    name: name.slice(name.lastIndexOf(".") + 1),
    type,
    required,
    readOnly: false,
  }));
}

/** Fields of the body itself, not of what is inside it. */
export const topLevel = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ path }) => !/[.[]/.test(path));

/** True for the name of a field with the user name. */
export const isUserName = (name: string): boolean => USER.test(lettersOf(name));

/** True for the name of a field that holds a password. */
export const isPassword = (name: string): boolean => PASSWORD.test(lettersOf(name));

/** True for the name of a field that holds a password, a new one or the same again, at any depth: `user.newPassword`. */
export function namesPassword(path: string): boolean {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return isPassword(name) || SECOND_PASSWORD.test(lettersOf(name));
}

/** True for the name of a field with a one-time code, sent to the user or generated by their device. */
export const isOneTimeCode = (name: string): boolean => CODE.test(lettersOf(name));

/** Regardless of its name, a query with a name and a password tells whether they fit; of mutations, those that sign in. */
const asksForPassword = ({ graphqlField, graphqlMutation }: Bodied): boolean =>
  graphqlField !== undefined &&
  (graphqlMutation !== true || (MUTATION.test(graphqlField) && !REGISTERS.test(lettersOf(graphqlField))));

const MUTATION = /log_?(in|on)|sign_?in|authenticat|token|session/i;

function signsIn(path: string, operationId: string): boolean {
  const segments = path.split("/").filter((segment) => segment !== "" && !segment.startsWith("{"));
  const [before = "", last = ""] = ["", ...segments]
    .slice(-2)
    .map((segment) => lettersOf(segment.replace(/\.(php|aspx?|jsp|do|action|json)$/i, "")));
  return (
    SIGNS_IN.test(last) ||
    (before === "jwt" && last === "create") ||
    SIGNS_IN_BY_NAME.test(lettersOf(operationId))
  );
}

const SIGNS_IN =
  /(log(in|on)|signin|authenticate|einloggen|anmelden|anmeldung|inloggen|aanmelden|connexion|seconnecter|acceder|ingresar|iniciar(sesion|sessao)|accedi|entrar|logga?in)$|^(sessions?|auth|authentication|tokens?|accesstoken|apitokenauth|obtaintoken|gettoken|tokenauth)$/;
const SIGNS_IN_BY_NAME =
  /^(user|account|auth|customer|member|post|do|create)?(log(in|on)|signin|authenticate)(user|account|customer|member|post)?$/;
const REGISTERS =
  /register|registrier|registration|registro|inscription|signup|enroll|onboarding|create(a|an|the|new)?(user|account)(?!session|token)|newaccount/;
/** As its first words: a log-in may be one of registered users. */
const REGISTERS_BY_SUMMARY =
  /^\W*(register(s|ing)?\b|registration|sign(s|ing)?[- ]?up|enrol|creates?( an?| the)?( new)? (user|account|member|customer)s?\b)/i;
/** What a registration wants to know besides a name and a password. */
const PROFILE =
  /^((first|last|full|sur|given|family|display)name|(date)?of?birth(day|date)?|dob|gender|address|street|city|country|company|organi[sz]ation|(accept)?terms|agree(ment)?|newsletter|referr?(al|er)(code)?|invit(e|ation)(code)?)$/;

const USER =
  /^(e?mail(address|id)?|user(name|id|email)?|login(name|id)?|uname|usr|acc(ount)?(name)?|identifier|phone(number)?|mobile(number)?|msisdn|nickname|handle|benutzer(name)?|usuario|correo|utilisateur|identifiant|courriel|utente|gebruiker(snaam)?)$/;
const PASSWORD =
  /^(user|account|login)?(password|passwd|pass|pwd|passphrase|passwort|kennwort|contrasena|contrasea|clave|motdepasse|mdp|senha|wachtwoord|losenord|haslo)$/;
const SECOND_PASSWORD =
  /^(confirm(ed|ation)?(of)?password|password(confirm(ation)?|again|repeat|two)|re(peat|type|enter)?password|verifypassword|(new|old|current)password)$/;
const CODE =
  /^(code|otp|pin|totp|passcode|mfacode|twofactorcode|authcode|resetcode|tan|(onetime|verification|confirmation|security|otp|sms|email|totp|mfa)(code|password|pin|token))$/;
