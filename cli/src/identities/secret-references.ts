import { readFileSync } from "node:fs";
import type { FieldPath, Identity, Login } from "@glovebox/contract";
import { FieldError } from "./field-error.ts";

/** Where the values of `env:VARIABLE` and `@FILE` come from. */
export interface SecretSources {
  readonly environment: NodeJS.ProcessEnv;
  /** @throws the error of the file system */
  readonly readFile?: (path: string) => string;
}

/** A whole value that names where the secret is. */
const REFERENCE = /^()(env:|@)(.*)$/s;
/** In a header also behind an authentication scheme: `Bearer env:TOKEN`. */
const HEADER_REFERENCE = /^((?:[\w!#$%&'*+.^`|~-]+ +)?)(env:|@)(.*)$/s;
const VARIABLE = /^[A-Za-z_]\w*$/;
const MAX_FILE_BYTES = 64 * 1024;

/**
 * The identity with each `env:VARIABLE` and `@FILE` of its credentials, login bodies and forms replaced by the contents of the variable or
 * file. Only the command line does so: a service must not read its own variables and files for a client.
 * @throws FieldError without any part of a value: one that begins with `@` may be a password
 */
export function withSecrets(identity: Identity, sources: SecretSources): Identity {
  const { headers, cookies, query, login } = identity;
  const resolve =
    (pattern: RegExp) =>
    (text: string, path: FieldPath): string => {
      const [, prefix = "", kind, name = ""] = pattern.exec(text) ?? [];
      if (kind === undefined) return text;
      return prefix + (kind === "@" ? contentsOf(name, path, sources) : variable(name, path, sources));
    };
  const value = resolve(REFERENCE);
  return {
    ...identity,
    ...(headers && { headers: mapped(headers, ["headers"], resolve(HEADER_REFERENCE)) }),
    ...(cookies && { cookies: mapped(cookies, ["cookies"], value) }),
    ...(query && { query: mapped(query, ["query"], value) }),
    ...(login && { login: loginWithSecrets(login, value) }),
  };
}

type Resolve = (text: string, path: FieldPath) => string;

function loginWithSecrets(login: Login, resolve: Resolve): Login {
  const { body, form, refresh } = login;
  return {
    ...login,
    ...(body && { body: mapped(body, ["login", "body"], resolve) }),
    ...(form && { form: mapped(form, ["login", "form"], resolve) }),
    ...(refresh && {
      refresh: { ...refresh, body: mapped(refresh.body, ["login", "refresh", "body"], resolve) },
    }),
  };
}

/** The same value with each text in it resolved, however deep. */
function mapped<Value>(value: Value, path: FieldPath, resolve: Resolve): Value {
  const inner = (item: unknown, key: string | number): unknown => mapped(item, [...path, key], resolve);
  if (typeof value === "string") return resolve(value, path) as Value;
  if (Array.isArray(value)) return value.map(inner) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item, key)])) as Value;
}

function variable(name: string, path: FieldPath, { environment }: SecretSources): string {
  if (!VARIABLE.test(name)) throw new FieldError(path, "does not name a variable behind env:");
  const value = environment[name];
  if (value === undefined) throw new FieldError(path, `the variable ${name} is not set`);
  if (value === "") throw new FieldError(path, `the variable ${name} is empty`);
  return value;
}

function contentsOf(file: string, path: FieldPath, { readFile = readText }: SecretSources): string {
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new FieldError(
      path,
      `the file that it names behind @ cannot be read (${code}); a value that begins with @ itself goes into a variable or a file`,
      { cause: error },
    );
  }
  if (Buffer.byteLength(text) > MAX_FILE_BYTES)
    throw new FieldError(path, `the file that it names is larger than ${MAX_FILE_BYTES} bytes`);
  const value = text.replace(/\r?\n$/, "");
  if (value === "") throw new FieldError(path, "the file that it names is empty");
  return value;
}

const readText = (path: string): string => readFileSync(path, "utf8");
