import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { spread } from "../../attacks/subjects.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Field, Operation } from "../../inventory/operation.ts";
import { signInFields, type SignInFields } from "../../inventory/sign-in.ts";
import type { ProbeRequest, Reply } from "../../transport/exchange.ts";

/** Names that are tried; each meets one wrong password in each of the two looks, far from any lock-out. */
const MAX_NAMES = 2;

/** Resets are left alone: they would send mail to people. */
export default defineCheck({
  id: "authentication/login-enumeration",
  category: "authentication",
  title: "User enumeration on log-in",
  severity: "medium",
  confidence: "firm",
  description:
    "A log-in with a wrong password is answered differently for an existing account than for an unknown one. Attackers can collect account names and then guess their passwords.",
  rule: "A name that the API itself shows (or `admin`) with a random password is refused with another text than a random name.",
  control: "Two random names of the same form are refused with the same status and text.",
  remediation:
    "Answer every failed sign-in with the same status, body and delay, whether the name or the password was wrong.",
  references: {
    cwe: 204,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: ({ operations }) =>
    operations.filter(({ facts }) => /json/i.test(facts.body?.mediaType ?? "") && signInFields(facts)),
  notApplicable: "No operation that signs in with a name and a password is declared.",

  async examine(operation, probe) {
    const login = signInFields(operation.facts)!;
    const names = await likelyNames(probe, login.user);
    const attempt = (name: string) => attemptOf(operation, { login, name, password: probe.nonce() });
    const [one, other] = [randomLike(names[0]!, probe.nonce()), randomLike(names[0]!, probe.nonce())];
    const first = await probe.control(attempt(one));
    const second = await probe.control(attempt(other));
    const unclear = withoutMeaning(first) ?? withoutMeaning(second);
    if (unclear) return inconclusive(unclear);
    if (!isRefusal(first)) return inconclusive(`A sign-in of nobody was answered ${first.status}.`);
    const nobody = wordsOf(first, one);
    if (nobody !== wordsOf(second, other))
      return inconclusive("Two sign-ins of nobody were answered differently.");

    for (const name of names) {
      const reply = await probe.attack(attempt(name));
      const blocked = withoutMeaning(reply);
      if (blocked) return inconclusive(blocked);
      if (isRefusal(reply) && wordsOf(reply, name) !== nobody)
        return fail(
          `Nobody's sign-in is answered with ${first.status}, that of a likely name with ${reply.status}, and with another text.`,
        );
    }
    return pass();
  },
});

/** A success is none: then the sign-in says something else than that it failed. */
const isRefusal = (reply: Reply): boolean =>
  [200, 400, 401, 403, 404, 422].includes(reply.status) && !isSuccess(reply);

/** Names that probably have an account: those that public answers show, then the usual one. */
async function likelyNames(probe: Probe, field: Field): Promise<string[]> {
  const isEmail = field.format === "email" || /mail/i.test(field.name);
  const shown: string[] = [];
  for (const read of spread(openLists(probe)).slice(0, 8)) {
    const { body } = await probe.baseline(read.request());
    shown.push(...namesIn(body.slice(0, 65_536), isEmail));
    if (shown.length >= MAX_NAMES) break;
  }
  const usual = isEmail ? `admin@${probe.profile.target.hostname}` : "admin";
  return [...new Set([...shown, usual])].slice(0, MAX_NAMES);
}

const openLists = ({ profile }: Probe) =>
  profile.operations.filter(({ facts }) => facts.method === "GET" && !facts.path.includes("{"));

const namesIn = (body: string, isEmail: boolean): string[] =>
  [
    ...body.matchAll(isEmail ? /"([\w.+-]{1,40}@[\w.-]{3,60})"/g : /"user_?name"\s*:\s*"([\w.-]{2,40})"/gi),
  ].map(([, name]) => name!);

/** A name of the same form that nobody has. */
const randomLike = (name: string, nonce: string): string =>
  name.includes("@") ? name.replace(/^[^@]*/, nonce) : nonce;

function attemptOf(
  operation: Operation,
  { login, name, password }: { login: SignInFields; name: string; password: string },
): ProbeRequest {
  return operation.request({
    body: JSON.stringify({
      ...sampleOf(operation),
      [login.user.path]: name,
      [login.password.path]: password,
    }),
    harmlessBecause: "a sign-in with a random password signs nobody in",
  });
}

/** What else the document wants in the body. */
const sampleOf = ({ facts: { body } }: Operation): object =>
  typeof body?.sample === "object" && body.sample !== null ? body.sample : {};

/** Status and words of an answer, without the name and what changes from one answer to the next. */
const wordsOf = (reply: Reply, name: string): string =>
  `${reply.status} ${reply.body
    .slice(0, 8192)
    .replace(asWholeWord(name), "¤")
    .replace(/[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{16,}\b|\d[\d.:TZ-]*/gi, "#")}`;

/** The name where it stands alone: `admin` is no part of `administrator`. */
const asWholeWord = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${name.replace(/[\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\d])`, "gu");
