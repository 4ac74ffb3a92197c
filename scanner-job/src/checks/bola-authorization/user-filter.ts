import { defineCheck, fail, inconclusive, notApplicable, type Verdict } from "../../engine/check.ts";
import {
  hasCallerPairs,
  NO_CALLER_PAIRS,
  overCallerPairs,
  type ComparedCallers,
} from "../../attacks/caller-pairs.ts";
import { judgeForeign } from "../../attacks/foreign-data.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import type { Probe } from "../../engine/probe.ts";
import { impossibleIdLike } from "../../inventory/id-kinds.ts";
import type { Operation, Parameter } from "../../inventory/operation.ts";
import { lettersOf } from "../../names.ts";
import { namesUser, ownerMemberIn, type Markers } from "../../identities/markers.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { commonPart } from "../../oracles/common-part.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";
import { rowsOf } from "../../oracles/records.ts";

/** Filters that an API may have without declaring them. */
const COMMON = ["userId", "user_id", "owner"];
/** Filters that are tried at one list. */
const MAX_FILTERS = 4;

export default defineCheck({
  id: "bola-authorization/user-filter",
  kind: "comparison",
  category: "bolaAuthorization",
  title: "Broken object level authorization: list of another user's objects by filter",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "A list returns the objects of another user when it is filtered by the other user's ID. An attacker with an account can list the objects of all users.",
  rule: "With the ID, user name or e-mail address of another user in the query, a user gets the rows that the other user sees. They name their owner, and the list without the filter has only the caller's own rows.",
  control: "With the ID of a nonexistent user there are no such rows, and anonymous callers do not get them.",
  remediation:
    "Select rows by the caller's ID from the credentials, and ignore or refuse the ID of another user in the query.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 6,
  subjects: (profile) =>
    hasCallerPairs(profile) ? spread(reads(profile).filter(({ facts }) => !facts.path.includes("{"))) : [],
  notApplicable: `${NO_CALLER_PAIRS} Or no operation returns a list.`,

  examine: (operation, probe) =>
    overCallerPairs(probe, (callers) => examineFilters(operation, callers, probe)),
});

async function examineFilters(
  operation: Operation,
  callers: ComparedCallers,
  probe: Probe,
): Promise<Verdict> {
  const { ofOwner, ofAttacker } = callers;
  const [owner, attacker] = [await ofOwner.markers(), await ofAttacker.markers()];
  const declared = operation.facts.parameters.filter(
    ({ in: location, name }) => location === "query" && namesUser(name),
  );
  const listed = rowsSeen(operation, await ofAttacker.ownReads());
  if (
    declared.length === 0 &&
    listed === undefined &&
    rowsSeen(operation, await ofOwner.ownReads()) === undefined
  )
    return notApplicable("The operation returns no list.");
  if (listed?.some((row) => ownerMemberIn(row, attacker) === undefined))
    return inconclusive("The list without a filter does not have the caller's own rows alone.");
  let verdict: Verdict = inconclusive("No value is known that identifies a user.");
  for (const name of [...declared.map((each) => each.name), ...COMMON].slice(0, MAX_FILTERS)) {
    const value = valueFor(name, owner);
    if (value === undefined) continue;
    const ask = (text: string) => ofOwner.withRealIds(operation, { query: { [name]: text } });
    const request = {
      own: await ask(value),
      none: await ask(impossibleIdLike(value, declared.find((each) => each.name === name) ?? UNDECLARED)),
      remark: ` by the filter ${name}=${value}`,
    };
    const ownership = (await isOwnByDefault(request.own, operation, { callers, probe }))
      ? `is what ${callers.owner.name} gets without the filter`
      : undefined;
    const next = await judgeForeign({ ...request, ownership }, { callers, probe, kind: "any" });
    if (next.outcome === "fail")
      return fail(next.observed, { ...next.instead, location: { ...operation.location, parameter: name } });
    if (verdict.outcome !== "pass") verdict = next;
  }
  return verdict;
}

/** Without the filter, the owner gets the same, and the attacker something else: each gets their own. */
async function isOwnByDefault(
  own: ProbeRequest,
  operation: Operation,
  { callers: { owner, attacker, ofOwner }, probe }: { callers: ComparedCallers; probe: Probe },
): Promise<boolean> {
  const plain = await ofOwner.withRealIds(operation);
  const filtered = await probe.baseline({ ...own, as: owner.name });
  const ofAll = [owner, attacker].map(({ name }) => probe.control({ ...plain, as: name }));
  const [mine, theirs] = (await Promise.all(ofAll)) as [ProbeResponse, ProbeResponse];
  const isSame = (a: ProbeResponse, b: ProbeResponse): boolean =>
    isSuccess(a) && isSuccess(b) && commonPart(a, b) !== undefined && commonPart(b, a) !== undefined;
  return plain.url !== own.url && isSame(mine, filtered) && isSuccess(theirs) && !isSame(theirs, mine);
}

const rowsSeen = (
  operation: Operation,
  seen: readonly { readonly operation: Operation; readonly json: unknown }[],
): readonly unknown[] | undefined => rowsOf(seen.find((read) => read.operation === operation)?.json);

function valueFor(name: string, { ids, names, emails }: Markers): string | undefined {
  const letters = lettersOf(name);
  if (letters.endsWith("email")) return [...emails][0];
  if (/(name|login)$/.test(letters)) return [...names][0];
  return [...ids, ...names][0];
}

const UNDECLARED: Parameter = {
  name: "",
  in: "query",
  required: false,
  type: "string",
  sample: "",
  sampleIsDeclared: false,
};
