import type { OperationFacts } from "../inventory/operation.ts";

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
  const words = wordsOf(`${lastSegmentOf(path)} ${operationId ?? ""}`);
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

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace("dry-run", "dryrun")
    .split(/[^a-z]+/);
