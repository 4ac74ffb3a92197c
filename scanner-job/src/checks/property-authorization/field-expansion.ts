import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isRejectedInput, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import type { Probe } from "../../engine/probe.ts";
import { kindOfName, valuesIn } from "../../signatures/sensitive-fields.ts";
import { withQuery } from "../../attacks/credentials.ts";
import { whereHandled } from "../../attacks/refusals.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";

/** The common names of parameters that choose fields. */
const CHOOSERS = ["fields", "$select", "expand", "include"];

export default defineCheck({
  id: "property-authorization/field-expansion",
  kind: "differential",
  category: "propertyAuthorization",
  title: "Excessive data exposure by field selection",
  severity: { default: "high", public: "medium" },
  confidence: "confirmed",
  description:
    "Parameters that select fields (`fields`, `$select`, `expand`, `include`) return fields that the API hides by default. An attacker can read sensitive data with them.",
  rule: "With the parameter, the response contains sensitive fields that it lacks without it, and a parameter with a random name adds none.",
  control: "The same request with a parameter of a random name.",
  remediation:
    "Restrict selectable fields to an allowlist of fields that the caller may see; reject `*` and unknown names.",
  references: {
    cwe: 213,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(reads(profile)),
  notApplicable: "No read operation was found.",

  examine: (operation, probe) =>
    whereHandled(probe, operation, async (baseline) => {
      const { request, json } = baseline;
      if (json === undefined) return pass();

      const expanded = await expand(request, probe);
      const blocked = withoutMeaning(expanded.response);
      if (blocked) return inconclusive(blocked);
      const added = isSuccess(expanded.response) ? addedBetween(baseline, expanded.response) : [];
      if (added.length === 0) return pass();

      const random = await probe.control(asking(request, [probe.nonce()]));
      return addedBetween(baseline, random).length === 0
        ? fail(`${expanded.names.join(" or ")} added: ${added.slice(0, 8).join(", ")}.`)
        : inconclusive("A parameter of a random name changes the fields too.");
    }),
});

/** With all the names together; where that is refused and a random name is not, with fewer. */
async function expand(
  request: ProbeRequest,
  probe: Probe,
): Promise<{ response: ProbeResponse; names: readonly string[] }> {
  const all = { response: await probe.attack(asking(request, CHOOSERS)), names: CHOOSERS };
  if (!isRejectedInput(all.response)) return all;
  // Who refuses every unknown name obeys none of these.
  if (isRejectedInput(await probe.control(asking(request, [probe.nonce()])))) return all;
  for (const names of [CHOOSERS.slice(0, 2), CHOOSERS.slice(2)]) {
    const response = await probe.attack(asking(request, names));
    if (!isRejectedInput(response)) return { response, names };
  }
  return all;
}

const asking = (request: ProbeRequest, names: readonly string[]): ProbeRequest =>
  withQuery(request, Object.fromEntries(names.map((name) => [name, "*"])));

function addedBetween(before: ProbeResponse, after: ProbeResponse): string[] {
  const known = new Set(valuesIn(before.json).map(({ name }) => name));
  const added = valuesIn(after.json).filter(
    ({ name, value }) =>
      !known.has(name) &&
      value !== null &&
      (kindOfName(name) !== undefined || personalFields({ [name]: value }).intimate.length > 0),
  );
  return [...new Set(added.map(({ path }) => path))];
}
