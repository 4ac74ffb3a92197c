import type { OperationFacts } from "../inventory/operation.ts";

/**
 * True when an operation is meant for administrators or for other systems only, by what its path, tags, name or
 * summary say. Whole words count: `/administrators-of-the-year` is no administration.
 */
export function isAdministrative(
  facts: Pick<OperationFacts, "base" | "path" | "tags" | "operationId" | "summary">,
): boolean {
  const segments = `${facts.base}${facts.path}`.split("/").filter((segment) => !segment.startsWith("{"));
  if (segments.some((segment) => PUBLIC_BY_NATURE.test(segment))) return false;
  return (
    [...segments, ...facts.tags].some((name) => ADMINISTRATION.test(name)) ||
    wordsOf(facts.operationId ?? "").includes("admin") ||
    FOR_ADMINISTRATORS.test(facts.summary ?? "")
  );
}

const ADMINISTRATION =
  /^_?(admin(s|istration|istrative)?|internal|management|superuser|sysadmin|back-?office)([-_ ](api|area|only|operations?|panel|users?|tools?))?$/i;
const FOR_ADMINISTRATORS =
  /\b(admin(istrator)?s? only|only (for )?(an? )?admin(istrator)?s?|requires? (an? )?admin\w*|for internal use|internal use only|administrative)\b/i;
/** What anyone must reach so that an administrator can sign in, or a machine see that it is up. */
const PUBLIC_BY_NATURE = /^(log-?in|sign-?in|health\w*|live\w*|ready\w*|status|ping|version|assets|static)$/i;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
