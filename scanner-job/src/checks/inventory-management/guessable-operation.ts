import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type TargetProfile,
  type Verdict,
} from "../../engine/check.ts";
import { isPublicByNature } from "../../attacks/purpose.ts";
import { operationsAt } from "../../attacks/route-existence.ts";
import { routeGuesses, type RouteGuesses } from "../../attacks/route-guesses.ts";
import { isThere, writeVersions, type WriteVersions } from "../../attacks/write-versions.ts";
import type { Probe } from "../../engine/probe.ts";
import type { OperationFacts } from "../../inventory/operation.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import { shapeOf } from "../../inventory/discovery/path-template.ts";
import { readOf } from "../../transport/exchange.ts";

/** Guesses below a path after which it is given up, where none of them was found; more where operations are known. */
const DEAD = 25;
const DEAD_DESPITE_OPERATIONS = 60;

/** How many guesses were found and not found, by the prefix of their paths. */
type Asked = Map<string, { misses: number; hits: number }>;

/** What is found becomes an operation that all checks examine, with a document or without. */
export default defineCheck<RouteGuesses | WriteVersions, Asked>({
  id: "inventory-management/guessable-operation",
  kind: "differential",
  category: "inventoryManagement",
  title: "Undocumented endpoint found by forced browsing",
  severity: "low",
  confidence: "firm",
  description:
    "An undocumented endpoint with an easily guessed name is served. An attacker can find it by forced browsing, and undocumented endpoints are often unprotected.",
  rule: "A common name below a path of the API, a variation of its resources, or a write in another version exists, with data or a refusal, twice, while a random name does not.",
  control: "A random name below the same path gets a different response.",
  remediation:
    "Remove endpoints that are not meant to be called, protect the others with the access control of the API, and document them.",
  references: {
    cwe: 425,
    owasp: "API9:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  prior: (subject) => ("prior" in subject ? subject.prior : 1),
  cost: 12,

  // Where every path gets the same response, guesses show nothing.
  subjects: (profile): (RouteGuesses | WriteVersions)[] =>
    profile.calibration.acceptsEverything || profile.calibration.deniesEverything
      ? []
      : [...writeVersions(profile), ...routeGuesses(profile)],
  notApplicable: "Nonexistent paths get the same response as existing ones, so guesses are inconclusive.",

  memory: () => new Map(),
  async examine(subject, probe, asked) {
    const all =
      "paths" in subject ? await guessed(subject, probe, asked) : await versionsThere(subject, probe);
    if (!Array.isArray(all)) return all;
    const found = all.filter((facts) => !isDeclared(facts, probe.profile));
    for (const facts of found) probe.found(facts);
    if (!probe.profile.document) return notApplicable("No document was found to compare with.");
    const hidden = found.filter((facts) => !isPublicByNature(facts) || "siblings" in subject);
    return hidden.length === 0
      ? pass()
      : fail(`Found: ${hidden.map(({ method, path }) => `${method} ${path}`).join(", ")}.`, {
          location: { method: hidden[0]!.method, path: hidden[0]!.path },
        });
  },
});

/**
 * In the document with this method; with another one, where the guess got 405: which further methods a known path
 * takes is the subject of another check.
 */
const isDeclared = ({ method, base, path }: OperationFacts, { document }: TargetProfile): boolean =>
  (document?.operations ?? []).some(
    (declared) =>
      (declared.method === method || method !== "GET") &&
      shapeOf(declared.base + declared.path) === shapeOf(base + path),
  );

async function versionsThere({ siblings }: WriteVersions, probe: Probe): Promise<OperationFacts[]> {
  const there = [];
  for (const sibling of siblings) if (await isThere(probe, sibling)) there.push(sibling);
  return there;
}

/** The operations that were discovered, or the reason why none was tried. */
async function guessed(
  { prefix, paths }: RouteGuesses,
  probe: Probe,
  asked: Asked,
): Promise<OperationFacts[] | Verdict> {
  const { profile } = probe;
  const count = asked.get(prefix) ?? { misses: 0, hits: 0 };
  asked.set(prefix, count);
  const max = hasOperationsBelow(prefix, profile) ? DEAD_DESPITE_OPERATIONS : DEAD;
  if (count.hits === 0 && count.misses >= max) return notApplicable("No endpoint was found below this path.");
  const impossible = `${profile.target.origin}${prefix}/${profile.calibration.nonce}`;
  const missing = await probe.control(readOf(impossible));
  const unclear = withoutMeaning(missing);
  if (unclear) return inconclusive(unclear);

  const found = [];
  for (const path of paths) found.push(...(await operationsAt(probe, path)));
  count.hits += found.length;
  count.misses += paths.length - found.length;
  return found;
}

const hasOperationsBelow = (prefix: string, { operations }: TargetProfile): boolean =>
  operations.some(({ location: { path } }) => path.slice(0, path.lastIndexOf("/")) === prefix);
