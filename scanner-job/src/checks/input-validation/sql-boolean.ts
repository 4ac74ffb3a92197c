import { randomInt } from "node:crypto";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { inserting, insertionPoints, isNumeric, ordinaryValue } from "../../attacks/insertion-points.ts";
import { isBlocked, isDenied, isRejectedInput, isSuccess } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { featuresOf, sameAs, type Features } from "../../oracles/similarity.ts";
import type { ParameterSubject } from "../../attacks/subjects.ts";
import type { Reply } from "../../transport/exchange.ts";

export default defineCheck({
  id: "input-validation/sql-boolean",
  category: "inputValidation",
  title: "SQL injection (boolean-based blind)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "A condition inside the value changes the result: the value became part of an SQL statement. Attackers can read the database one bit at a time, and often change it.",
  rule: "With a true condition the answer is that to the ordinary value, with a false one it is not, twice with other numbers; only what came out the same in three ordinary answers is compared.",
  control: "The same value with a false condition, and the ordinary request sent anew.",
  remediation: "Pass values as parameters of prepared statements and check their types before.",
  references: {
    cwe: 89,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => insertionPoints(profile, ({ type }) => type !== "boolean" && type !== "object"),
  notApplicable: "No read takes a parameter in its query or an id in its path.",

  async examine(point, probe) {
    const value = await ordinaryValue(probe, point);
    const ordinary = await probe.baseline(await inserting(probe, point, value));
    if (isDenied(ordinary)) return inconclusive("The operation requires credentials.");
    if (!isSuccess(ordinary))
      return inconclusive(`The ordinary request was answered with status ${ordinary.status}.`);

    let refused = 0;
    for (const condition of contextsOf(isNumeric(point.parameter, value))) {
      const seen = await compare(probe, { point, condition, value, ordinary });
      if (seen === "obeyed")
        return fail("A true condition was answered as the ordinary value, a false one was not, twice.");
      if (seen === "refused") refused++;
      if (seen === "rejected") break; // what is checked for its form does not get any further in quotes
    }
    return refused > 0
      ? inconclusive("A firewall refuses such values, so that it cannot be seen what the API does.")
      : pass();
  },
});

/** Sends one condition as true and as false, and where that makes a difference, all of it again. */
async function compare(
  probe: Probe,
  {
    point,
    condition,
    value,
    ordinary,
  }: { point: ParameterSubject; condition: Condition; value: string; ordinary: Reply },
): Promise<"obeyed" | "ignored" | "rejected" | "refused"> {
  const send = async (role: "attack" | "control", isTrue: boolean) => {
    const text = condition(value, isTrue);
    const reply = await probe[role](await inserting(probe, point, text));
    const isRefused = isBlocked(reply) || reply.status === 403;
    return { reply, isRefused, features: featuresOf(reply, { sent: text, ordinary: value }) };
  };
  const usual = featuresOf(ordinary);
  const yes = await send("attack", true);
  if (yes.isRefused) return "refused";
  if (isRejectedInput(yes.reply)) return "rejected";
  if (!roughly(usual, yes.features)) return "ignored";
  const no = await send("control", false);
  if (no.isRefused) return "refused";
  if (sameAs([usual])(no.features)) return "ignored";

  const replays = [await probe.again(ordinary.request), await probe.again(ordinary.request)];
  const same = sameAs([usual, ...replays.map((reply) => featuresOf(reply))]);
  const [yesAgain, noAgain] = [await send("attack", true), await send("control", false)];
  if (noAgain.isRefused) return "refused";
  const obeyed =
    [yes, yesAgain].every(({ features }) => same(features)) &&
    ![no, noAgain].some(({ features }) => same(features));
  return obeyed ? "obeyed" : "ignored";
}

type Condition = (value: string, isTrue: boolean) => string;

/** Numbers are compared that nobody has compared before; in quotes for texts, bare for numbers. */
const contextsOf = (numeric: boolean): readonly Condition[] => {
  const inQuotes: Condition = (value, isTrue) => `${value}' AND '${pairOf(isTrue).join("'='")}`;
  const bare: Condition = (value, isTrue) => `${value} AND ${pairOf(isTrue).join("=")}`;
  return numeric ? [bare, inQuotes] : [inQuotes];
};

function pairOf(isTrue: boolean): [number, number] {
  const number = randomInt(1000, 9000);
  return [number, isTrue ? number : number + 1];
}

/** Not worth a false condition where the true one was already answered differently in kind. */
const roughly = (usual: Features, other: Features): boolean =>
  usual.status === other.status && usual.mediaType === other.mediaType && usual.rows === other.rows;
