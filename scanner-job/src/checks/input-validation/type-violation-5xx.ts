import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isPreview } from "../../inventory/effects.ts";
import { inserting } from "../../attacks/insertion-points.ts";
import { notReached } from "../../attacks/refusals.ts";
import type { Probe } from "../../engine/probe.ts";
import { spread } from "../../attacks/subjects.ts";
import type { Field, Operation, Parameter } from "../../inventory/operation.ts";
import { WELL_FORMED, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

/** Parameters and fields of one operation that are tried. */
const MAX_POINTS = 3;

export default defineCheck({
  id: "input-validation/type-violation-5xx",
  kind: "differential",
  category: "inputValidation",
  title: "Unhandled exception on malformed input",
  severity: "low",
  confidence: "confirmed",
  description:
    "A value of the wrong type causes an internal server error instead of being rejected. Unvalidated input reaches the code, which often indicates injection flaws, and an attacker can waste resources with each failure.",
  rule: "A value of the wrong type returns 500, and one of the right type does not return 5xx, before and after.",
  control: "The same request with a value of the right type, sent before and after.",
  remediation:
    "Validate every request against the declared schema before processing it, and return 400 or 422.",
  references: { cwe: 20, owasp: "API8:2023" },

  subjects: ({ operations }) => spread(operations.filter((operation) => pointsOf(operation).length > 0)),
  notApplicable: "No read declares a parameter whose type could be violated.",

  async examine(operation, probe) {
    const baseline = await probe.control(await baselineRequest(operation, probe));
    const unreached = notReached(baseline);
    if (unreached) return unreached;
    if (isFault(baseline)) return inconclusive(`The baseline request returned status ${baseline.status}.`);

    for (const { name, request } of pointsOf(operation)) {
      const response = await probe.attack(await request(probe));
      const stopped = notReached(response);
      if (stopped) return stopped;
      // 502 to 504 come from a gateway, and do not show what failed.
      if (response.status !== 500) continue;
      return isFault(await probe.again(baseline.request))
        ? inconclusive("Baseline requests fail intermittently too.")
        : fail(`"${name}" with a value of the wrong type returned status 500.`);
    }
    return pass();
  },
});

const isFault = ({ status }: ProbeResponse): boolean => status >= 500;

interface TypedPoint {
  readonly name: string;
  readonly request: (probe: Probe) => Promise<ProbeRequest>;
}

/** Where an operation takes something else than free text; bodies only of operations that keep nothing. */
function pointsOf(operation: Operation): readonly TypedPoint[] {
  const { facts, idParameter } = operation;
  if (facts.method === "GET") {
    return facts.parameters
      .filter((parameter) => (parameter.in === "query" || parameter === idParameter) && hasForm(parameter))
      .map((parameter) => ({
        name: parameter.name,
        request: (probe: Probe) =>
          inserting(probe, { operation, parameter, location: operation.location }, "glovebox"),
      }))
      .slice(0, MAX_POINTS);
  }
  return bodyFields(operation)
    .map((field) => ({
      name: field.name,
      request: () =>
        Promise.resolve(withBody(operation, { [field.name]: field.type === "string" ? 12_345 : "glovebox" })),
    }))
    .slice(0, MAX_POINTS);
}

const hasForm = ({ type, format }: Parameter): boolean =>
  ["integer", "number", "boolean"].includes(type) || ["uuid", "date", "date-time"].includes(format ?? "");

function bodyFields({ facts }: Operation): readonly Field[] {
  const { body, method } = facts;
  if (method !== "POST" || !isPreview(facts) || !/json/i.test(body?.mediaType ?? "")) return [];
  return body!.fields.filter(
    ({ path, name, type }) => path === name && ["string", "integer", "number", "boolean"].includes(type),
  );
}

const withBody = (operation: Operation, fields: Record<string, unknown>): ProbeRequest =>
  operation.request({
    body: JSON.stringify({ ...(operation.facts.body?.sample as object), ...fields }),
    form: WELL_FORMED,
  });

const baselineRequest = async (operation: Operation, probe: Probe): Promise<ProbeRequest> =>
  operation.facts.method === "GET" ? probe.withRealIds(operation) : withBody(operation, {});
