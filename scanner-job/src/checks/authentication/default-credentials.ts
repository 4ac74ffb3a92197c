import { defineCheck, fail, inconclusive, notApplicable, pass, type Verdict } from "../../engine/check.ts";
import { withSample } from "../../inventory/credential-attempts.ts";
import { signInFields, type SignInFields } from "../../inventory/sign-in.ts";
import type { Operation } from "../../inventory/operation.ts";
import { member, objectOf } from "../../json.ts";
import { issuesToken } from "../../oracles/attempts.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { throttlingIn } from "../../oracles/throttling.ts";
import { sessionCookies } from "../../signatures/session-cookies.ts";
import { type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

/** One for each of three names; how often each is tried in all is the subject of `account-attempts`. */
const COMMON: readonly Pair[] = [
  { user: "admin", password: "admin" },
  { user: "test", password: "test" },
  { user: "user", password: "password" },
];

export default defineCheck({
  id: "authentication/default-credentials",
  kind: "burst",
  category: "authentication",
  title: "Default or published credentials accepted",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The login accepts default credentials of a product, or the example credentials of the public API document. An attacker can sign in with them.",
  rule: "A login with a common user name and password, or with the documented example, returns a token or a session cookie, twice.",
  control: "A random user name and password are rejected.",
  remediation:
    "Remove the account or set a unique, strong password, force a password change at the first login, and keep the credentials of real accounts out of documentation.",
  references: {
    cwe: 1392,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 5,

  subjects: ({ operations }) => operations.filter(({ facts }) => signInFields(facts)),
  notApplicable: "No operation signs in with a user name and a password.",

  async examine(operation, probe) {
    const fields = signInFields(operation.facts)!;
    const send = requester(operation, fields);
    const other = await probe.control(send({ user: probe.nonce(), password: probe.nonce() }, "wrong"));
    const unclear = other.status === 500 ? undefined : withoutMeaning(other);
    if (unclear) return inconclusive(unclear);
    if (issuesToken(other)) return inconclusive("Any user name and password return a session.");
    const pairs = pairsFor(operation, fields);
    if (pairs.length === 0)
      return notApplicable("The login takes an email address, and the document gives no example.");
    const responses: ProbeResponse[] = [other];
    for (const { pair, isExample } of pairs) {
      if (!probe.accounts.mayTryPassword(pair.user)) continue;
      const response = await probe.attack(send(pair, "likely"));
      responses.push(response);
      if (throttlingIn(responses)) return inconclusive("The login began to throttle or block attempts.");
      if (issuesToken(response) || isLetIn(response, other)) {
        probe.accounts.signedIn(pair.user);
        return fail(
          isExample
            ? `The documented example credentials of ${pair.user} are valid.`
            : `The user ${pair.user} has one of the most common passwords.`,
        );
      }
    }
    return verdictOf(other, responses);
  },
});

/** Nobody was signed in: a pass where the log-in judges attempts. */
function verdictOf(other: ProbeResponse, responses: readonly ProbeResponse[]): Verdict {
  if (responses.length === 1)
    return inconclusive("One more attempt for any of the names could lock an account.");
  return isDenied(other) || other.status >= 400 || responses.some(({ status }) => status < 500)
    ? pass()
    : inconclusive("The login does not evaluate the credentials.");
}

interface Pair {
  readonly user: string;
  readonly password: string;
}

const requester =
  (operation: Operation, { user, password }: SignInFields) =>
  (pair: Pair, credentials: "wrong" | "likely"): ProbeRequest =>
    operation.request({
      content: withSample(operation, { [user.path]: pair.user, [password.path]: pair.password }),
      form: { kind: "attempt", credentials },
    });

/** The example of the document, and the common pairs; where an address is asked for, those have no form. */
function pairsFor(
  { facts }: Operation,
  { user, password }: SignInFields,
): { readonly pair: Pair; readonly isExample: boolean }[] {
  const samples = facts.source === "spec" ? [facts.body?.sample, ...(facts.body?.otherSamples ?? [])] : [];
  const examples = samples.slice(0, 2).flatMap((sample) => {
    const [name, word] = [member(objectOf(sample), user.path), member(objectOf(sample), password.path)];
    return typeof name === "string" && typeof word === "string" && !INVENTED.test(`${name}\n${word}`)
      ? [{ pair: { user: name, password: word }, isExample: true }]
      : [];
  });
  const isAddress = user.format === "email" || /mail/i.test(user.name);
  return [...examples, ...(isAddress ? [] : COMMON.map((pair) => ({ pair, isExample: false })))];
}

/** What stands for a text, and was written by no one. */
const INVENTED = /^(string|text|glovebox.*)$|glovebox/im;

/** The cookie of a session, or a redirect to somewhere else than the log-in, which a refused attempt does not get. */
function isLetIn(response: ProbeResponse, refused: ProbeResponse): boolean {
  const isRedirected = (each: ProbeResponse): boolean => each.redirectTarget !== undefined && !isDenied(each);
  if (isRedirected(response))
    return !isRedirected(refused) || response.redirectTarget!.href !== refused.redirectTarget!.href;
  return isSuccess(response) && sessionCookies(response).length > 0 && sessionCookies(refused).length === 0;
}
