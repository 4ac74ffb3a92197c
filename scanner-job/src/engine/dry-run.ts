import type { OperationFacts } from "../inventory/operation.ts";

/**
 * True for an operation that by its own name only looks, computes or fetches: a preview, a validation, a test. Its
 * POST may be sent, because nothing is kept of it. Words that mean a change beside it (`create`, `save`) forbid it.
 */
export function isDryRun({ path, operationId }: Pick<OperationFacts, "path" | "operationId">): boolean {
  const words = wordsOf(`${lastSegmentOf(path)} ${operationId ?? ""}`);
  return words.some((word) => LOOKS.has(word)) && !words.some((word) => CHANGES.has(word));
}

/** What to say to `send` of such a request. */
export const HARMLESS_DRY_RUN = "the operation's name says that it only previews, fetches or validates";

const LOOKS = new Set(
  "preview fetch proxy validate validation check test verify scrape unfurl crawl screenshot render parse probe lookup resolve dryrun estimate".split(
    " ",
  ),
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
