import { readFileSync } from "node:fs";
import { ROLES, type Role } from "@glovebox/contract";
import { load } from "js-yaml";
import * as z from "zod";

/** An OpenID Connect provider with which users sign in. */
export interface OidcProvider {
  /** In the path of its redirect URI. */
  readonly id: string;
  /** On the sign-in page. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  /** The claim that lists the groups of a user. */
  readonly groupsClaim: string;
  /** Groups whose members are administrators; none: the provider makes nobody one. */
  readonly administrators: readonly string[];
  readonly roles: readonly GroupRole[];
}

interface GroupRole {
  readonly group: string;
  /** The name of the account. */
  readonly account: string;
  readonly role: Role;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** True for a host that only this machine reaches. */
export const isLoopback = (url: URL): boolean => LOOPBACK.test(url.hostname);

const text = z.string("must be text").min(1, "must not be empty");
const issuer = text.refine(
  (value) => URL.canParse(value) && isSafe(new URL(value)),
  "must be an https:// URL; http:// is accepted on loopback only",
);
const isSafe = (url: URL): boolean =>
  url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));

const providerSchema = z
  .strictObject({
    id: z.string("must be text").regex(/^[a-z0-9-]{1,40}$/, "must have 1 to 40 characters of a-z, 0-9 and -"),
    name: text,
    issuer,
    clientId: text,
    clientSecret: text.optional(),
    clientSecretFile: text.optional(),
    scopes: z.array(text, "must be a list").default(["openid", "email", "profile"]),
    groupsClaim: text.default("groups"),
    administrators: z.array(text, "must be a list of groups").default([]),
    roles: z
      .array(
        z.strictObject({
          group: text,
          account: text,
          role: z.enum(ROLES, `must be one of ${ROLES.join(", ")}`),
        }),
        "must be a list",
      )
      .default([]),
  })
  .refine(
    ({ clientSecret, clientSecretFile }) => clientSecret === undefined || clientSecretFile === undefined,
    "has both clientSecret and clientSecretFile",
  )
  .refine(({ scopes }) => scopes.includes("openid"), "scopes must include openid");
const fileSchema = z.strictObject(
  { providers: z.array(providerSchema, "must be a list") },
  "must have providers",
);

/**
 * The providers of a YAML file (docs/sign-in.md).
 * @throws Error whose message names the field and the reason, and repeats no value
 */
export function parseOidcProviders(yaml: string): readonly OidcProvider[] {
  const parsed = fileSchema.safeParse(parseYaml(yaml));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new Error(`${path.length === 0 ? "the file" : path.join(".")}: ${message}`);
  }
  const { providers } = parsed.data;
  for (const key of ["id", "issuer"] as const)
    if (new Set(providers.map((provider) => provider[key])).size < providers.length)
      throw new Error(`providers: two have the same ${key}`);
  return providers.map(({ clientSecretFile, clientSecret, ...provider }) => ({
    ...provider,
    clientSecret: clientSecretFile === undefined ? clientSecret : readSecret(clientSecretFile),
  }));
}

function parseYaml(yaml: string): unknown {
  try {
    return load(yaml);
  } catch {
    throw new Error("the file: is not valid YAML"); // without its message, which quotes lines that may hold a secret
  }
}

function readSecret(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new Error(`clientSecretFile: ${path} cannot be read`, { cause });
  }
}
