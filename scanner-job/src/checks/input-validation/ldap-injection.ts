import { randomInt } from "node:crypto";
import { examinePairs, type Pair } from "../../attacks/differential.ts";
import { defineInjection, tryAttempts, type Attempt } from "../../attacks/injection.ts";
import type { Parameter } from "../../inventory/operation.ts";
import { namesPassword } from "../../inventory/sign-in.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";
import { newComplaint } from "../../signatures/language-errors.ts";

export default defineInjection({
  id: "input-validation/ldap-injection",
  title: "LDAP injection",
  severity: "high",
  confidence: "confirmed",
  description:
    "The value becomes part of an LDAP search filter. An attacker can read all entries and hidden attributes of the directory, or bypass a login that uses the filter.",
  rule: "A parenthesis causes an LDAP filter error, which neither the baseline value nor letters do; or an injected filter that matches every entry gets another response than one of the same characters that matches none, whose response is the baseline or an empty result, in every one of several rounds with other spellings.",
  control: "Letters instead of the parenthesis, or a filter of the same form that matches no entry.",
  remediation:
    "Escape `*`, `(`, `)`, `\\` and NUL in values (RFC 4515, section 3), or build filters with a library that does so.",
  references: {
    cwe: 90,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 3,
  language: "LDAP",
  // A password is compared by a bind or a hash, and the rules for a new one tell texts apart.
  into: ({ name, type, format }) => type === "string" && format !== "password" && !namesPassword(name),
  prior: (parameter, { facts }) => (isLdap(parameter, facts.path) ? 3 : 0.3),
  notApplicable: "No read takes a string.",
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
    control: ({ baseValue }) => baseValue,
    proof: complaint,
    where: ({ parameter }) => FILTER.test(parameter.sample),
  },
  {
    payload: ({ baseValue, nonce }) => `${baseValue})${nonce}(`,
    control: ({ baseValue, nonce }) => `${baseValue}${nonce}`,
    proof: complaint,
    deep: true,
  },
];

function complaint({ body }: ProbeResponse, _: unknown, baseline: ProbeResponse): string | undefined {
  const software = newComplaint("LDAP", body, [baseline.body]);
  return software && `The response contains an error message of ${software}.`;
}

const OBSERVED =
  "A filter that matches every entry got another response than one that matches none, in every round.";

/** Every entry has it, however it is spelled: the names of attributes have no case (RFC 4512, section 2.5). */
const EVERY = "objectClass";

/** Meets every entry. The capital is at a random position, so that each round has another spelling. */
const present = (): string => `${capitalised(EVERY)}=*`;
/** Meets none: an attribute that does not exist, of the same letters, so that no rule about characters tells the two apart. */
const absent = (): string => `${capitalised(anagram(EVERY))}=*`;

const PAIRS: readonly Pair[] = [
  {
    same: ({ baseValue }) => `${baseValue})(${present()}`,
    different: ({ baseValue }) => `${baseValue})(${absent()}`,
    observed: OBSERVED,
  },
  {
    same: () => `*)(${absent()}`,
    different: () => `*)(${present()}`,
    observed: OBSERVED,
    deep: true,
  },
  {
    // Of several filters one is enough.
    same: ({ baseValue }) => `${baseValue})(${absent()}`,
    different: ({ baseValue }) => `${baseValue})(${present()}`,
    observed: OBSERVED,
  },
];

function capitalised(text: string): string {
  const index = randomInt(text.length);
  const letters = text.toLowerCase();
  return letters.slice(0, index) + letters.charAt(index).toUpperCase() + letters.slice(index + 1);
}

/** The letters in another, random order. */
function anagram(text: string): string {
  const letters = [...text.toLowerCase()];
  for (let last = letters.length - 1; last > 0; last--) {
    const index = randomInt(last + 1);
    [letters[last], letters[index]] = [letters[index]!, letters[last]!];
  }
  const made = letters.join("");
  return made === text.toLowerCase() ? anagram(text) : made;
}
