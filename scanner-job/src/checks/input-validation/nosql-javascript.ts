import { examinePairs, findsSomething, type Pair } from "../../attacks/differential.ts";
import { defineInjection } from "../../attacks/injection.ts";
import { isNumeric, isScalar } from "../../attacks/insertion-points.ts";

const OBSERVED = "A JavaScript condition controlled the response, in every round.";

export default defineInjection({
  id: "input-validation/nosql-javascript",
  title: "NoSQL injection (JavaScript expression)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The value becomes part of JavaScript that the database or server executes, such as MongoDB's `$where`. An attacker can extract data bit by bit and exhaust the server.",
  rule: "With a true JavaScript condition the response equals the baseline, and with a false one it does not, in every one of several rounds with other numbers; only parts that are stable in three baseline responses are compared.",
  control:
    "A condition of the same form that evaluates to the baseline value, and the repeated baseline request.",
  remediation:
    "Do not use `$where`, `mapReduce` or `eval` with user input; use query operators, and disable JavaScript in the database (`security.javascriptEnabled: false`).",
  references: {
    cwe: 943,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 3,
  language: "NoSQL",
  prior: () => 0.3,
  into: isScalar,
  notApplicable: "No read takes a string or a number.",
  examine: (point, probe) => examinePairs(point, probe, PAIRS),
});

/** `==` is not SQL of the common databases, and `&&` joins texts in none of them. */
const PAIRS: readonly Pair[] = [
  {
    same: ({ baseValue, one }) => `${baseValue}'&&'${one}'=='${one}`,
    different: ({ baseValue, one, other }) => `${baseValue}'&&'${one}'=='${other}`,
    observed: OBSERVED,
    where: findsSomething,
  },
  {
    same: ({ baseValue, one }) => `${baseValue}&&${one}===${one}`,
    different: ({ baseValue, one, other }) => `${baseValue}&&${one}===${other}`,
    observed: OBSERVED,
    where: (point) => findsSomething(point) && isNumeric(point),
  },
  {
    same: ({ baseValue, one, other }) => `${baseValue}'||'${one}'=='${other}`,
    different: ({ baseValue, one }) => `${baseValue}'||'${one}'=='${one}`,
    observed: OBSERVED,
    where: (point) => !findsSomething(point),
  },
];
