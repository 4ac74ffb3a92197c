import { readFileSync } from "node:fs";
import {
  fieldName,
  firstIssue,
  IDENTITIES_FILE,
  identitiesFileSchema,
  scanFailure,
  type IdentitiesFile,
  type ScanFailure,
} from "@glovebox/contract";
import { CORE_SCHEMA, load, YAMLException } from "js-yaml";

/** The identities of a file with the expectations about them, or why it cannot be used. */
export type IdentitiesRead = IdentitiesFile | { readonly failure: ScanFailure };

/** Reads the file of identities that a Job mounts. No failure contains a value of it. */
export function readIdentitiesFile(path: string): IdentitiesRead {
  try {
    return parseIdentities(readFileSync(path, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return unusable(`cannot be read (${code}).`);
  }
}

/** Identities in YAML or JSON. @internal */
export function parseIdentities(text: string): IdentitiesRead {
  let data: unknown;
  try {
    data = load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // Its message quotes the text.
    return unusable(`is not valid YAML (line ${(error.mark?.line ?? 0) + 1}).`);
  }
  const parsed = identitiesFileSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  return unusable([fieldName(path), `${reason}.`].filter((part) => part !== "").join(": "), ": ");
}

const unusable = (why: string, separator = " "): IdentitiesRead => ({
  failure: scanFailure("could_not_start", `${IDENTITIES_FILE}${separator}${why}`),
});
