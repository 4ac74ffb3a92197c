import { examinePairs, type Pair } from "../../attacks/differential.ts";
import { defineInjection, tryAttempts, type Attempt } from "../../attacks/injection.ts";
import type { Parameter } from "../../inventory/operation.ts";
import type { Reply } from "../../transport/exchange.ts";
import { newComplaint } from "../../signatures/language-errors.ts";

export default defineInjection({
  id: "input-validation/ldap-injection",
  title: "LDAP injection",
  severity: "high",
  confidence: "confirmed",
  description:
    "The value becomes a part of the filter of an LDAP search. Attackers widen it to every entry of the directory, read attributes that the API does not show, and get around a log-in that searches so.",
  rule: "A parenthesis brings back an LDAP filter's complaint, which neither the ordinary value nor letters do; or a filter that every entry meets, put in after a parenthesis, is answered otherwise than one that none meets, which is answered as the ordinary value or no such entry, twice.",
  control: "Letters in place of the parenthesis, or a filter of the same form that no entry meets.",
  remediation:
    "Escape `*`, `(`, `)`, `\\` and NUL in values (RFC 4515, section 3), or build filters with a library that does so.",
  references: {
    cwe: 90,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 3,
  language: "LDAP",
  into: ({ type }) => type === "string",
  prior: (parameter, { facts }) => (isLdap(parameter, facts.path) ? 3 : 0.3),
  notApplicable: "No read takes a text.",
  examine: async (point, probe) => {
    return (await tryAttempts(ATTEMPTS, point, probe)) ?? examinePairs(point, probe, PAIRS);
  },
});

const isLdap = ({ name, sample }: Parameter, path: string): boolean =>
  /ldap|directory/i.test(`${name} ${path}`) || FILTER.test(sample);

const FILTER = /^\([&|!]?.{0,200}=.{0,200}\)$/;

const ATTEMPTS: readonly Attempt[] = [
  {
    // The value is a filter itself.
    payload: () => "(objectClass=*)",
    control: ({ ordinary }) => ordinary,
    proof: complaint,
    where: ({ parameter }) => FILTER.test(parameter.sample),
  },
  {
    payload: ({ ordinary, nonce }) => `${ordinary})${nonce}(`,
    control: ({ ordinary, nonce }) => `${ordinary}${nonce}`,
    proof: complaint,
    deep: true,
  },
];

function complaint({ body }: Reply, _: unknown, usual: Reply): string | undefined {
  const software = newComplaint("LDAP", body, [usual.body]);
  return software && `The error is one of ${software}.`;
}

const OBSERVED = "A filter that every entry meets was answered otherwise than one that none meets, twice.";

const PAIRS: readonly Pair[] = [
  {
    same: ({ ordinary }) => `${ordinary})(objectClass=*`,
    different: ({ ordinary, one }) => `${ordinary})(objectClass=none${one}`,
    observed: OBSERVED,
  },
  {
    same: ({ one }) => `*)(objectClass=none${one}`,
    different: () => "*)(objectClass=*",
    observed: OBSERVED,
    deep: true,
  },
  {
    // Of several filters one is enough.
    same: ({ ordinary, one }) => `${ordinary})(objectClass=none${one}`,
    different: ({ ordinary }) => `${ordinary})(objectClass=*`,
    observed: OBSERVED,
  },
];
