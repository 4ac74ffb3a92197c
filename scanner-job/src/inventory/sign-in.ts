import { lettersOf } from "../names.ts";
import type { Field, OperationFacts } from "./operation.ts";

/** The fields of a body that hold who signs in, and the password. */
export interface SignInFields {
  readonly user: Field;
  readonly password: Field;
}

/**
 * Those of an operation that signs in with a name and a password; undefined for all others, such as registrations and
 * changes of a password, which want it twice.
 */
export function signInFields({
  method,
  path,
  body,
  operationId = "",
}: Pick<OperationFacts, "path" | "body" | "operationId"> & { readonly method?: string }):
  | SignInFields
  | undefined {
  if (method !== "POST" || !body || !signsIn(path, operationId)) return undefined;
  const outer = topLevel(body.fields);
  if (outer.some(({ name }) => SECOND_PASSWORD.test(lettersOf(name)))) return undefined;
  const user = outer.find(({ name }) => isUserName(name));
  const password = outer.find(({ name }) => isPassword(name));
  return user && password && { user, password };
}

/** Fields of the body itself, not of what is inside it. */
export const topLevel = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ path }) => !/[.[]/.test(path));

/** True for the name of a field that says who signs in. */
export const isUserName = (name: string): boolean => USER.test(lettersOf(name));

/** True for the name of a field that holds a password. */
export const isPassword = (name: string): boolean => PASSWORD.test(lettersOf(name));

/** True for the name of a field that holds a code which was sent to somebody, or is made by their device. */
export const isOneTimeCode = (name: string): boolean => CODE.test(lettersOf(name));

function signsIn(path: string, operationId: string): boolean {
  const segments = path.split("/").filter((segment) => segment !== "" && !segment.startsWith("{"));
  const [before = "", last = ""] = ["", ...segments]
    .slice(-2)
    .map((segment) => lettersOf(segment.replace(/\.(php|aspx?|jsp|do|action|json)$/i, "")));
  if (REGISTERS.test(last)) return false;
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
const REGISTERS = /register|registration|signup|enroll|onboarding/;

const USER =
  /^(e?mail(address|id)?|user(name|id|email)?|login(name|id)?|uname|usr|acc(ount)?(name)?|identifier|phone(number)?|mobile(number)?|msisdn|nickname|handle|benutzer(name)?|usuario|correo|utilisateur|identifiant|courriel|utente|gebruiker(snaam)?)$/;
const PASSWORD =
  /^(user|account|login)?(password|passwd|pass|pwd|passphrase|passwort|kennwort|contrasena|contrasea|clave|motdepasse|mdp|senha|wachtwoord|losenord|haslo)$/;
const SECOND_PASSWORD =
  /^(confirm(ed|ation)?(of)?password|password(confirm(ation)?|again|repeat|two)|re(peat|type|enter)?password|verifypassword|(new|old|current)password)$/;
const CODE =
  /^(code|otp|pin|totp|passcode|mfacode|twofactorcode|authcode|resetcode|tan|(onetime|verification|confirmation|security|otp|sms|email|totp|mfa)(code|password|pin|token))$/;
