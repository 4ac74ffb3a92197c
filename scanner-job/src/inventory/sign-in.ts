import type { Field, OperationFacts } from "./operation.ts";

/** The fields of a body that hold who signs in, and the password. */
export interface SignInFields {
  readonly user: Field;
  readonly password: Field;
}

/** Those of an operation that signs in with a name and a password; undefined for all others. */
export function signInFields({
  method,
  path,
  body,
}: Pick<OperationFacts, "path" | "body"> & { readonly method?: string }): SignInFields | undefined {
  if (method !== "POST" || !body || !SIGN_IN_PATH.test(path)) return undefined;
  const outer = topLevel(body.fields);
  const user = outer.find(({ name }) => USER.test(name));
  const password = outer.find(({ name }) => PASSWORD.test(name));
  return user && password && { user, password };
}

/** Fields of the body itself, not of what is inside it. */
export const topLevel = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ path }) => !/[.[]/.test(path));

const SIGN_IN_PATH = /\/(log-?in|sign-?in|sessions?|authenticate|auth|tokens?)\/?$/i;
export const USER = /^(e?mail(_?address)?|user_?name|login|user|account|identifier)$/i;
export const PASSWORD = /^(password|passwd|pwd|passphrase)$/i;
