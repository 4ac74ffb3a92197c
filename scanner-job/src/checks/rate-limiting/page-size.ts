import { defineCheck, fail, inconclusive, notApplicable, pass, type Verdict } from "../../engine/check.ts";
import { isRejectedInput, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { inserting, insertionPoints } from "../../attacks/insertion-points.ts";
import { rowsOf } from "../../oracles/records.ts";
import type { Parameter } from "../../inventory/operation.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

/** Rows asked for where the document names no maximum, and the most that are asked for at all. */
const MANY = 1000;
const MAX_SIZE = 2000;
/** A page of more rows than this is taken for one without a bound. */
const LARGE_PAGE = 500;

export default defineCheck({
  id: "rate-limiting/page-size",
  kind: "differential",
  category: "rateLimiting",
  title: "Unbounded pagination",
  severity: "low",
  confidence: "firm",
  description:
    "The server does not limit the page size that a client requests. An attacker can exhaust memory with a single request, or download a whole collection in one response.",
  rule: `The response to a large page size has more than twice the default number of rows, and more than the declared maximum, or than ${LARGE_PAGE} where none is declared.`,
  control: "The same request for one row returns one row: the parameter has an effect.",
  remediation: "Enforce a maximum page size on the server, or return 400 above it, and document it.",
  references: {
    cwe: 770,
    owasp: "API4:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => insertionPoints(profile, isPageSize),
  notApplicable: "No page size parameter is known.",

  async examine(point, probe) {
    const baseline = await probe.baseline(await probe.withRealIds(point.operation));
    const one = await probe.control(await inserting(probe, point, "1"));
    const unclear = withoutMeaning(baseline) ?? withoutMeaning(one);
    if (unclear) return inconclusive(unclear);
    const before = countIn(baseline);
    if (before === undefined || countIn(one) !== 1)
      return notApplicable("The response does not contain a list whose length the parameter controls.");

    const large = await probe.attack(await inserting(probe, point, String(askedOf(point.parameter))));
    if (isRejectedInput(large)) return pass();
    const after = countIn(large);
    return after === undefined
      ? inconclusive(
          withoutMeaning(large) ?? "The response to a large page size does not contain a countable list.",
        )
      : judge(point.parameter, before, after);
  },
});

function judge(parameter: Parameter, before: number, after: number): Verdict {
  const { maximum } = parameter;
  if (after <= before * 2 || after <= (maximum ?? LARGE_PAGE)) return pass();
  const observed = `A request for ${askedOf(parameter)} rows returned ${after}, and the default is ${before}`;
  return maximum === undefined
    ? fail(`${observed}.`)
    : fail(`${observed}, the declared maximum ${maximum}.`, { severity: "medium" });
}

const askedOf = ({ maximum = 0 }: Parameter): number => Math.min(Math.max(MANY, maximum * 2), MAX_SIZE);

const isPageSize = ({ in: location, name }: Parameter): boolean =>
  location === "query" &&
  /^(page\[?_?(size|limit)\]?|limit|size|per_?page|count|first|top|rows|take|max_?results|\$top|_limit)$/i.test(
    name,
  );

const countIn = (response: ProbeResponse): number | undefined =>
  isSuccess(response) ? rowsOf(response.json)?.length : undefined;
