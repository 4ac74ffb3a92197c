import { defineCheck, fail, inconclusive, pass, type Overrides, type Subject } from "../../engine/check.ts";
import { impactOfWrite } from "../../attacks/impact.ts";
import { stableReach, writeToNothing } from "../../attacks/impossible-write.ts";
import { holdsContactsAlone, looksPublic } from "../../attacks/published.ts";
import { isPublicByNature } from "../../attacks/purpose.ts";
import { spread } from "../../attacks/subjects.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Operation } from "../../inventory/operation.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { holdsData } from "../../oracles/records.ts";

/** Siblings that are asked. */
const MAX_SIBLINGS = 4;

export default defineCheck({
  id: "bfla-authorization/unguarded-sibling",
  kind: "differential",
  category: "bflaAuthorization",
  title: "Missing authorization on one operation of a guarded resource",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "firm",
  description:
    "Other operations of the resource require credentials, but this one does not, and it is not declared public. The authorization check is probably missing, and an unauthenticated attacker can use the operation.",
  rule: "Of two similar operations of a resource (two reads, or two empty writes to a nonexistent ID), one returns 401 or 403, and the other returns personal data or secrets, or reaches its handler every time.",
  control:
    "The other operation is refused, and the same request to a nonexistent path gets a different response.",
  remediation:
    "Enforce authorization for the whole resource in one central component and deny by default; declare `security: []` for operations that are meant to be public.",
  references: {
    cwe: 862,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 4,

  subjects: ({ operations }): Unguarded[] => {
    const byResource = Map.groupBy(operations, resourceOf);
    return spread(operations.filter(declaresNothing)).flatMap((operation) => {
      const siblings = siblingsOf(operation, byResource.get(resourceOf(operation)) ?? []);
      return siblings.length > 0 ? [{ operation, location: operation.location, siblings }] : [];
    });
  },
  notApplicable: "No resource has two comparable operations with undeclared security.",

  async examine({ operation, siblings }, probe) {
    const isRead = operation.facts.method === "GET";
    const refused = await refusedSibling(siblings, probe);
    if (!refused)
      return inconclusive(
        "No similar operation of the resource is refused, so there is no refusal to compare with.",
      );
    return isRead ? examineRead(operation, refused, probe) : examineWrite(operation, refused, probe);
  },
});

interface Unguarded extends Subject {
  readonly operation: Operation;
  readonly siblings: readonly Operation[];
}

const declaresNothing = ({ facts }: Operation): boolean =>
  facts.security === "undeclared" && !isPublicByNature(facts);

/** Similar operations among those of its resource: of the same path first, then of the same collection. */
function siblingsOf(operation: Operation, ofResource: readonly Operation[]): Operation[] {
  const isRead = operation.facts.method === "GET";
  const others = ofResource.filter(
    (other) =>
      other !== operation &&
      (other.facts.method === "GET") === isRead &&
      (isRead || writeToNothing(other, other.facts.method) !== undefined),
  );
  if (!isRead && !writeToNothing(operation, operation.facts.method)) return [];
  const isSamePath = (other: Operation): boolean => other.location.path === operation.location.path;
  return others.toSorted((a, b) => Number(isSamePath(b)) - Number(isSamePath(a))).slice(0, MAX_SIBLINGS);
}

/** The collection: what stands before the first parameter, versions apart. */
const resourceOf = ({ location }: Operation): string =>
  location.path
    .split("/{")[0]!
    .replace(/\/v\d+(?=\/)/, "")
    .replace(/\/+$/, "");

async function refusedSibling(siblings: readonly Operation[], probe: Probe): Promise<Operation | undefined> {
  for (const sibling of siblings) {
    const request =
      sibling.facts.method === "GET"
        ? await probe.withRealIds(sibling)
        : writeToNothing(sibling, sibling.facts.method)!;
    const response = await probe.control(request);
    if (isDenied(response) && !withoutMeaning(response)) return sibling;
  }
  return undefined;
}

async function examineRead(operation: Operation, refused: Operation, probe: Probe) {
  const request = await probe.withRealIds(operation);
  const response = await probe.attack(request);
  if (isDenied(response)) return pass();
  const unclear = withoutMeaning(response);
  if (unclear) return inconclusive(unclear);
  if (!isSuccess(response) || !holdsData(response.json))
    return inconclusive(`Status ${response.status} came without data to evaluate.`);
  if (isNoBetterThan(await probe.missing(request), response))
    return inconclusive("Nonexistent paths get the same response.");
  // To show a catalogue and to guard its parts is a design.
  if (looksPublic(response.json)) return pass();
  return fail(
    `Status ${response.status} returned personal data or secrets, while ${nameOf(refused)} is refused.`,
    // How to reach people may be listed on purpose where the document says nothing of it.
    holdsContactsAlone(response.json) ? { severity: "medium" } : {},
  );
}

async function examineWrite(operation: Operation, refused: Operation, probe: Probe) {
  const { reach, response } = await stableReach(probe, writeToNothing(operation, operation.facts.method)!);
  if (reach === "denied") return pass();
  // A body may be parsed before authentication.
  if (!response || reach === "unknown" || response.status === 400 || response.status === 415)
    return inconclusive("The response does not show whether the write was refused.");
  return fail(
    `An empty write returned status ${response.status}, while ${nameOf(refused)} is refused.`,
    reach === "weakly" ? { severity: "medium", confidence: "tentative" } : impactOn(operation),
  );
}

/** Anyone who may change, promote or delete users owns the API. */
const impactOn = ({ facts }: Operation): Overrides =>
  impactOfWrite(facts, [])?.severity === "critical" ? { severity: "critical" } : {};

const nameOf = ({ location }: Operation): string => `${location.method} ${location.path}`;
