import { readFileSync, statSync } from "node:fs";
import {
  DEFAULT_IDENTITY,
  fieldName,
  type FieldPath,
  firstIssue,
  identitiesFileSchema,
  identitySchema,
  type Expectation,
  type IdentitiesFile,
  type Identity,
} from "@glovebox/contract";
import { jsonValues, readSettings } from "@glovebox/settings";
import * as z from "zod";
import { UserError } from "../command-line.ts";
import { SCAN_SETTINGS } from "../settings.ts";
import { FieldError } from "./field-error.ts";
import { withSecrets, type SecretSources } from "./secret-references.ts";

/** Options that give a scan its identities, as the command line has them. */
export interface RawIdentityOptions {
  readonly identityFile?: string;
  readonly header?: readonly string[];
}

/** A file with the largest identities, in YAML with comments. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The identities of a scan: those of `--identity-file` or else of GLOVEBOX_IDENTITIES, and that of `--header`. Undefined where there
 * are none.
 * @throws UserError that names the option or variable, the identity, the field and the reason, and no value
 */
export function readIdentities(
  { identityFile, header = [] }: RawIdentityOptions,
  sources: SecretSources,
): Identity[] | undefined {
  const listed = readList(identityFile, sources);
  const ofList = listed && resolved(listed, sources);
  if (header.length === 0) return ofList;
  const own = resolved({ source: "--header", identities: [ofHeaders(header)] }, sources);
  return checked([...(ofList ?? []), ...own], "--header");
}

/**
 * What roles and identities must and must not reach, by the same file or variable. Undefined where it says nothing.
 * @throws UserError as `readIdentities`
 */
export const readExpectations = (
  { identityFile }: Pick<RawIdentityOptions, "identityFile">,
  sources: SecretSources,
): Expectation[] | undefined => readList(identityFile, sources)?.expectations;

/** Identities as they are written, and the option or variable that they come from. */
interface Listed extends IdentitiesFile {
  readonly source: string;
}

function readList(identityFile: string | undefined, { environment }: SecretSources): Listed | undefined {
  const { identities: variable } = readSettings(SCAN_SETTINGS, environment, ["identities"]).settings;
  return identityFile === undefined
    ? parsed(variable, SCAN_SETTINGS.identities.variable)
    : parsed(textOf(identityFile), `--identity-file: ${identityFile}`);
}

const parsed = (text: string | undefined, source: string): Listed | undefined =>
  text === undefined ? undefined : { source, ...valid(valuesIn(text, source), source) };

function resolved(
  { source, identities }: Pick<Listed, "source" | "identities">,
  sources: SecretSources,
): Identity[] {
  const all = identities.map((identity, index) => {
    try {
      return withSecrets(identity, sources);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      throw userErrorOf(["identities", index, ...error.path], error.message, {
        source,
        value: { identities },
      });
    }
  });
  return checked(all, source);
}

const checked = (identities: readonly Identity[], source: string): Identity[] =>
  valid({ identities }, source).identities;

function valid(value: unknown, source: string): IdentitiesFile {
  const file = identitiesFileSchema.safeParse(value);
  if (file.success) return file.data;
  const { path, reason } = firstIssue(file.error);
  throw userErrorOf(path, reason, { source, value });
}

function valuesIn(text: string, source: string): unknown {
  const read = jsonValues(text);
  if ("line" in read) throw new UserError(`${source}: is neither YAML nor JSON, see line ${read.line}`);
  return read.value;
}

function textOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new UserError(`--identity-file: ${path} is not a file`);
  if (file.size > MAX_FILE_BYTES)
    throw new UserError(`--identity-file: ${path} is larger than ${MAX_FILE_BYTES / 1024} KiB`);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UserError(`--identity-file: ${path} cannot be read (${code})`, { cause });
  }
}

/** The identity `default` of the values of `--header`. */
function ofHeaders(lines: readonly string[]): Identity {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^\s*([^:]*?)\s*:\s*(.*?)\s*$/s.exec(line) ?? [];
    if (name === "") throw new UserError("--header: must be 'Name: value'");
    const isKnown = [...headers.keys()].some((other) => other.toLowerCase() === name.toLowerCase());
    if (isKnown)
      throw new UserError(
        `--header: identity ${DEFAULT_IDENTITY}: ${fieldName(["headers", name])}: is given twice`,
      );
    headers.set(name, value);
  }
  return { name: DEFAULT_IDENTITY, role: "user", headers: Object.fromEntries(headers) };
}

function userErrorOf(
  path: FieldPath,
  reason: string,
  { source, value }: { readonly source: string; readonly value: unknown },
): UserError {
  const [list, index, ...field] = path;
  const isOfIdentity = list === "identities" && typeof index === "number";
  const where = isOfIdentity ? [`identity ${nameOf(value, index)}`, fieldName(field)] : [fieldName(path)];
  return new UserError([source, ...where, reason].filter((part) => part !== "").join(": "));
}

const identitiesWithNames = z.object({
  identities: z.array(z.object({ name: identitySchema.shape.name }).optional().catch(undefined)),
});

/** By which the reader knows an identity: its name, or else its number. */
const nameOf = (value: unknown, index: number): string =>
  identitiesWithNames.safeParse(value).data?.identities[index]?.name ?? String(index + 1);
