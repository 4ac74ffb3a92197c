import { wordsOf } from "../names.ts";
import type { OperationFacts } from "../inventory/operation.ts";

/**
 * True when an operation is meant for administrators or for other systems only, by what its path, tags, name or
 * summary indicate. Whole words count: `/administrators-of-the-year` is not administration.
 */
export function isAdministrative(
  facts: Pick<OperationFacts, "base" | "path" | "tags" | "operationId" | "summary">,
): boolean {
  if (isPublicByNature(facts)) return false;
  const segments = segmentsOf(facts);
  return (
    [...segments, ...facts.tags].some((name) => ADMINISTRATION.test(name)) ||
    wordsOf(facts.operationId ?? "").includes("admin") ||
    FOR_ADMINISTRATORS.test(facts.summary ?? "")
  );
}

/** True for what anyone must reach: ways to sign in, signs of life, documents of the API itself. */
export const isPublicByNature = (facts: Pick<OperationFacts, "base" | "path">): boolean =>
  segmentsOf(facts).some((segment) => PUBLIC_BY_NATURE.test(segment));

/** True where a caller gets its own token: a token in the response is what was asked for. */
export const handsOutTokens = ({ path }: Pick<OperationFacts, "path">): boolean =>
  /token|session|log-?(in|on)|sign-?(in|up)|auth|register|csrf|guest/i.test(path);

const segmentsOf = ({ base, path }: Pick<OperationFacts, "base" | "path">): string[] =>
  `${base}${path}`.split("/").filter((segment) => segment !== "" && !segment.startsWith("{"));

const ADMINISTRATION =
  /^_?(admin(s|istration|istrative)?|internal|management|superuser|sysadmin|back-?office)([-_ ](api|area|only|operations?|panel|users?|tools?))?$/i;
const FOR_ADMINISTRATORS =
  /\b(admin(istrator)?s? only|only (for )?(an? )?admin(istrator)?s?|requires? (an? )?admin\w*|for internal use|internal use only|administrative)\b/i;
const PUBLIC_BY_NATURE =
  /^(log-?(in|out)|sign-?(in|up|out)|register|oauth2?|authorize|callback|\.well-known|health\w*|live\w*|ready\w*|status|ping|version|assets|static|docs|swagger.*|openapi.*|favicon.*|robots\.txt)$/i;
