import { randomInt } from "node:crypto";
import { fail, inconclusive, type Verdict } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { compareInRounds } from "../../attacks/differential.ts";
import { defineInjection, isRefused, type Point } from "../../attacks/injection.ts";
import { insertingAs, isNumeric, isRawBody, isScalar, isSignInName } from "../../attacks/insertion-points.ts";
import type { Operation, Parameter } from "../../inventory/operation.ts";
import { isRejectedInput } from "../../oracles/classify.ts";
import { rowsOf } from "../../oracles/records.ts";
import { REPLAYS, ROUNDS } from "../../oracles/rounds.ts";
import { featuresOf, sameAs, withoutEcho, type Features, type Mask } from "../../oracles/similarity.ts";
import { newComplaint } from "../../signatures/language-errors.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineInjection({
  id: "input-validation/nosql-operator",
  title: "NoSQL injection (operator injection)",
  severity: "high",
  confidence: "confirmed",
  description:
    "A parameter such as `name[$ne]` reaches the database as a query operator. An attacker can bypass filters, or bypass a login and extract user names and passwords.",
  rule: "`[$ne]` with a random value gets another response than `[$eq]` with one, whose responses are all equal, in every one of several rounds; or a nonexistent operator causes a database error, and the same name without `$` does not.",
  control: "The operator `[$eq]` with random values, or the name of the operator without `$`.",
  remediation:
    "Validate that each parameter is a plain value of its type before using it in a query, configure the query parser not to build objects, and remove keys that begin with `$`.",
  references: {
    cwe: 943,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 2,
  language: "NoSQL",
  into: takesOperators,
  atSignIn: true,
  prior: (parameter, operation) => (isSignInName(parameter, operation) ? 2 : 1),
  notApplicable: "No read takes a query parameter or a body property.",
  examine: async (point, probe) => (await obeysOperators(point, probe)) ?? complains(point, probe),
});

/** A query parser or a body can make an object of the value; elements of XML have no names with a dollar sign. */
function takesOperators(parameter: Parameter, { facts }: Operation): boolean {
  const isInXml = parameter.in === "body" && facts.body?.xml !== undefined;
  return ["query", "body"].includes(parameter.in) && isScalar(parameter) && !isRawBody(parameter) && !isInXml;
}

const asking = (probe: Probe, point: Point, { operator, value }: { operator: string; value: string }) =>
  insertingAs(probe, point, { name: `${point.parameter.name}[${operator}]`, value });

/** "Unlike a random value" must get a different response from "like a random value", which always gets the same one. */
async function obeysOperators(point: Point, probe: Probe): Promise<Verdict | undefined> {
  const look = (operator: Operator): Promise<Look | undefined> => lookAt(point, probe, operator);
  const unlike = await look("$ne");
  if (!unlike) return undefined;
  const like = await look("$eq");
  if (!like || sameAs([like.features])(unlike.features)) return undefined;

  const others: Features[] = [];
  while (others.length < REPLAYS) {
    const other = await look("$eq");
    if (!other) return undefined;
    others.push(other.features);
  }
  const isLike = sameAs([like.features, ...others]);
  const isExpected = async (operator: Operator, similar: boolean): Promise<boolean> => {
    const seen = await look(operator);
    return seen !== undefined && isLike(seen.features) === similar;
  };
  const compared = isLike(unlike.features)
    ? "similar"
    : await compareInRounds(
        { same: () => isExpected("$eq", true), different: () => isExpected("$ne", false) },
        ROUNDS,
      );
  if (compared === "apart")
    return fail(`[$ne] ${describe(unlike.response)}, [$eq] ${describe(like.response)}.`);
  const isSteady = compared === "similar" && others.every(sameAs([like.features]));
  return isSteady ? undefined : inconclusive("The responses to random values vary.");
}

type Operator = "$ne" | "$eq";

interface Look {
  readonly response: ProbeResponse;
  readonly features: Features;
}

/** The response to the operator with a random value; undefined where it refuses the operator, or fails. */
async function lookAt(point: Point, probe: Probe, operator: Operator): Promise<Look | undefined> {
  const value = isNumeric({ ...point, baseValue: "" }) ? String(randomInt(1e6, 1e9)) : probe.nonce();
  const role = operator === "$ne" ? "attack" : "control";
  const response = await probe[role](await asking(probe, point, { operator, value }));
  const isUnclear =
    isRefused(response, point.baseline) || isRejectedInput(response) || response.status >= 500;
  return isUnclear ? undefined : { response, features: featuresOf(response, withoutOperator(value)) };
}

/** The response may repeat the value, and the name of the operator with or without its sign. */
const withoutOperator = (value: string): Mask => {
  const withoutValue = withoutEcho({ sent: value, baseValue: "" });
  return (text) => withoutValue(text).replaceAll(/(?:\$|%24)?(?<![a-z])(?:ne|eq)(?![a-z])/gi, "#");
};

const describe = ({ status, json }: ProbeResponse): string => {
  const rows = rowsOf(json);
  return rows === undefined ? `returned status ${status}` : `found ${rows.length} rows`;
};

/** An operator that does not exist makes the database complain; the same member without the dollar sign does not. */
async function complains(point: Point, probe: Probe): Promise<Verdict | undefined> {
  if (isSignInName(point.parameter, point.operation)) return undefined;
  const name = probe.nonce().slice(0, 8);
  const response = await probe.attack(await asking(probe, point, { operator: `$${name}`, value: "1" }));
  const software = newComplaint("NoSQL", response.body, [point.baseline.body]);
  if (!software) return undefined;
  const control = await probe.control(await asking(probe, point, { operator: name, value: "1" }));
  return newComplaint("NoSQL", control.body, [point.baseline.body])
    ? undefined
    : fail(`The response to a nonexistent operator contains an error message of ${software}.`);
}
