import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { replyToNoObject, unlessReturned } from "../../attacks/object-control.ts";
import { isDenied, isSuccess } from "../../oracles/classify.ts";
import { looksPublished } from "../../attacks/published.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import type { Probe } from "../../engine/probe.ts";
import { alike, jaccard } from "../../oracles/similarity.ts";
import { keysOf } from "../../oracles/records.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import { kindOfId, neighbours } from "../../inventory/id-kinds.ts";
import type { Operation } from "../../inventory/operation.ts";
import type { Reply } from "../../transport/exchange.ts";

/** Ids that are tried, and those that must return an object. */
const MAX_ALTERED = 5;
const ENOUGH = 2;

export default defineCheck({
  id: "bola-authorization/altered-id-read",
  category: "bolaAuthorization",
  title: "Broken object level authorization (IDOR)",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "Counting an id up or down returns the objects of other people, without credentials. All of them can be collected by counting on.",
  rule: "At least two ids made by altering a known one return objects with the same fields (9 of 10) and other values, and the objects require credentials or contain personal data.",
  control: "An id of the same form that cannot exist returns no object.",
  remediation:
    "Check for every object that the caller may read this very one, not only that the caller is known, and use random ids (UUID version 4) as a second line.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(objectReads(profile)),
  notApplicable: "No operation reads an object by an id in its path.",

  async examine(operation, probe) {
    const ids = await probe.idsFor(operation);
    const none = await replyToNoObject(operation, probe);
    if (ids.length === 0)
      return isDenied(none) ? pass() : inconclusive("No id of an existing object was found.");
    const known = await probe.baseline(await probe.withId(operation, ids[0]!));
    const verdict = unlessReturned(known, none, probe);
    if (verdict) return verdict;
    if (!isSomebodysOwn(operation, known)) return pass();

    const others = await othersBeside([known, none], ids, { operation, probe });
    if (others.length < ENOUGH) return pass();
    const seen = others.map(({ request }) => new URL(request.url).pathname.split("/").at(-1));
    return fail(`Beside ${ids[0]}, the ids ${seen.join(", ")} returned other objects with the same fields.`);
  },
});

/** What is public by nature has ids that may be counted: products, posts, places. */
function isSomebodysOwn({ facts }: Operation, { json }: Reply): boolean {
  const { intimate, owned } = personalFields(json);
  const { security } = facts;
  if (looksPublished(facts, json)) return false;
  if (security === "required" || intimate.length > 0) return true;
  return security === "undeclared" && owned.length > 0;
}

/** What altered ids return that is of the same kind as the known object, and neither it, nor what no object gets, nor each other. */
async function othersBeside(
  [known, none]: readonly [Reply, Reply],
  ids: readonly string[],
  { operation, probe }: { operation: Operation; probe: Probe },
): Promise<Reply[]> {
  const others: Reply[] = [];
  for (const id of alteredIds(ids)) {
    const reply = await probe.attack(await probe.withId(operation, id));
    if (
      isSuccess(reply) &&
      !alike(reply, none) &&
      [known, ...others].every((seen) => isAnotherOfItsKind(reply, seen))
    )
      others.push(reply);
    if (others.length === ENOUGH) break;
  }
  return others;
}

/** Neighbours of the known ids, alternating between them, so that a gap beside one of them does not end the enumeration. */
function alteredIds(ids: readonly string[]): string[] {
  const near = ids.slice(0, 4).map((id) => {
    const kind = kindOfId(id);
    return kind === undefined ? [] : neighbours(id, kind);
  });
  const turns = [0, 1, 2].flatMap((turn) => near.flatMap((each) => each[turn] ?? []));
  return [...new Set(turns)].filter((id) => id !== ids[0]).slice(0, MAX_ALTERED);
}

const isAnotherOfItsKind = (reply: Reply, seen: Reply): boolean =>
  jaccard(keysOf(reply.json), keysOf(seen.json)) >= 0.9 &&
  keysOf(reply.json).size > 0 &&
  valuesOf(reply) !== valuesOf(seen);

/** The body without the id that was asked for: a page that only repeats it shows no other object. */
const valuesOf = ({ body, request }: Reply): string =>
  body.replaceAll(decodeURIComponent(new URL(request.url).pathname.split("/").at(-1)!), "¤");
