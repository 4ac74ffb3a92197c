import { wordsOf } from "../names.ts";
import type { OperationFacts } from "../inventory/operation.ts";

/**
 * True when an operation is meant for administrators or for other systems only, by what its path, tags, name or
 * summary say. Whole words count: `/administrators-of-the-year` is no administration.
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

const segmentsOf = ({ base, path }: Pick<OperationFacts, "base" | "path">): string[] =>
  `${base}${path}`.split("/").filter((segment) => segment !== "" && !segment.startsWith("{"));

const ADMINISTRATION =
  /^_?(admin(s|istration|istrative)?|internal|management|superuser|sysadmin|back-?office)([-_ ](api|area|only|operations?|panel|users?|tools?))?$/i;
const FOR_ADMINISTRATORS =
  /\b(admin(istrator)?s? only|only (for )?(an? )?admin(istrator)?s?|requires? (an? )?admin\w*|for internal use|internal use only|administrative)\b/i;
const PUBLIC_BY_NATURE =
  /^(log-?(in|out)|sign-?(in|up|out)|register|oauth2?|authorize|callback|\.well-known|health\w*|live\w*|ready\w*|status|ping|version|assets|static|docs|swagger.*|openapi.*|favicon.*|robots\.txt)$/i;

/**
 * True for an operation that by its own name only looks or fetches, besides what `isPreview` takes: a test, a check,
 * a lookup. Its POST may be sent with a value that leads to nothing.
 */
export const isDryRun = (facts: Named): boolean => isNamed(facts, LOOKS) || isPreview(facts);

/**
 * True for an operation that by its own name only computes: a preview, a validation. Its POST may be sent as the
 * document describes it, because nothing is kept of it. Words that mean a change (`create`, `save`) forbid it.
 */
export const isPreview = (facts: Named): boolean => isNamed(facts, COMPUTES);

type Named = Pick<OperationFacts, "path" | "operationId">;

function isNamed({ path, operationId }: Named, wanted: ReadonlySet<string>): boolean {
  const words = wordsOf(`${lastSegmentOf(path)} ${operationId ?? ""}`.replace(/dry-run/i, "dryrun"));
  return words.some((word) => wanted.has(word)) && !words.some((word) => CHANGES.has(word));
}

/** What to say to `send` of such a request. */
export const HARMLESS_DRY_RUN = "the operation's name says that it only previews, fetches or validates";

const COMPUTES = new Set("preview validate validation render parse dryrun estimate".split(" "));
const LOOKS = new Set(
  "fetch proxy check test verify scrape unfurl crawl screenshot probe lookup resolve".split(" "),
);
const CHANGES = new Set(
  "create save update delete remove add send submit publish store upload email otp code payment payments".split(
    " ",
  ),
);

const lastSegmentOf = (path: string): string =>
  path.split("/").findLast((segment) => segment !== "" && !segment.startsWith("{")) ?? "";
