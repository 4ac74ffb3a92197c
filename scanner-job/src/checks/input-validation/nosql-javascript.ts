import { examinePairs, findsSomething, type Pair } from "../../attacks/differential.ts";
import { defineInjection } from "../../attacks/injection.ts";
import { isNumeric, isScalar } from "../../attacks/insertion-points.ts";

const OBSERVED = "A condition in JavaScript decided the answer, in every round.";

export default defineInjection({
  id: "input-validation/nosql-javascript",
  title: "NoSQL injection (JavaScript expression)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The value becomes a part of JavaScript that the database or the server executes, such as `$where` of MongoDB. Attackers read everything that the expression can reach one bit at a time, and keep the server busy.",
  rule: "With a true condition in JavaScript the answer is that to the ordinary value, with a false one it is not, in every round of several with other numbers; only what came out the same in three ordinary answers is compared.",
  control:
    "The condition of the same form that means the ordinary value, and the ordinary request sent anew.",
  remediation:
    "Use no `$where`, `mapReduce` or `eval` with values of callers; query by operators, and switch JavaScript off in the database (`security.javascriptEnabled: false`).",
  references: {
    cwe: 943,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 3,
  language: "NoSQL",
  prior: () => 0.3,
  into: isScalar,
  notApplicable: "No read takes a text or a number.",
  examine: (point, probe) => examinePairs(point, probe, PAIRS),
});

/** `==` is no SQL of the common databases, and `&&` joins texts in none of them. */
const PAIRS: readonly Pair[] = [
  {
    same: ({ ordinary, one }) => `${ordinary}'&&'${one}'=='${one}`,
    different: ({ ordinary, one, other }) => `${ordinary}'&&'${one}'=='${other}`,
    observed: OBSERVED,
    where: findsSomething,
  },
  {
    same: ({ ordinary, one }) => `${ordinary}&&${one}===${one}`,
    different: ({ ordinary, one, other }) => `${ordinary}&&${one}===${other}`,
    observed: OBSERVED,
    where: (point) => findsSomething(point) && isNumeric(point),
  },
  {
    same: ({ ordinary, one, other }) => `${ordinary}'||'${one}'=='${other}`,
    different: ({ ordinary, one }) => `${ordinary}'||'${one}'=='${one}`,
    observed: OBSERVED,
    where: (point) => !findsSomething(point),
  },
];
