import { defineCheck, fail, inconclusive, notApplicable, pass, type Verdict } from "../../engine/check.ts";
import { withSample } from "../../inventory/credential-attempts.ts";
import { signInFields, type SignInFields } from "../../inventory/sign-in.ts";
import type { Operation } from "../../inventory/operation.ts";
import { member, objectOf } from "../../json.ts";
import { issuesToken } from "../../oracles/attempts.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { throttlingIn } from "../../oracles/throttling.ts";
import { sessionCookies } from "../../signatures/session-cookies.ts";
import { type ProbeRequest, type Reply } from "../../transport/exchange.ts";

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
    "The log-in accepts a name and a password that everybody knows: the ones that a product is delivered with, or the example of the public document. Anyone can sign in with them.",
  rule: "A log-in with a common pair, or with the pair that the document gives as an example, is answered with a token or a session cookie, twice.",
  control: "A random name with a random password is refused.",
  remediation:
    "Delete the account or give it a password of its own, force a change of the password at the first log-in, and take accounts that exist out of the examples of the document.",
  references: {
    cwe: 1392,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 5,

  subjects: ({ operations }) => operations.filter(({ facts }) => signInFields(facts)),
  notApplicable: "No operation that signs in with a name and a password is known.",

  async examine(operation, probe) {
    const fields = signInFields(operation.facts)!;
    const send = requester(operation, fields);
    const other = await probe.control(send({ user: probe.nonce(), password: probe.nonce() }, "wrong"));
    const unclear = other.status === 500 ? undefined : withoutMeaning(other);
    if (unclear) return inconclusive(unclear);
    if (issuesToken(other)) return inconclusive("Any name and password are answered with a session.");
    const pairs = pairsFor(operation, fields);
    if (pairs.length === 0) return notApplicable("It takes an address, and the document gives no example.");
    const replies: Reply[] = [other];
    for (const { pair, isExample } of pairs) {
      if (!probe.accounts.mayTryPassword(pair.user)) continue;
      const reply = await probe.attack(send(pair, "likely"));
      replies.push(reply);
      if (throttlingIn(replies)) return inconclusive("The log-in began to slow down or to block attempts.");
      if (issuesToken(reply) || isLetIn(reply, other)) {
        probe.accounts.signedIn(pair.user);
        return fail(
          isExample
            ? `The example of the document, with the name ${pair.user}, signs in.`
            : `The name ${pair.user} signs in with one of the commonest passwords.`,
        );
      }
    }
    return verdictOf(other, replies);
  },
});

/** Nobody was signed in: a pass where the log-in judges attempts. */
function verdictOf(other: Reply, replies: readonly Reply[]): Verdict {
  if (replies.length === 1)
    return inconclusive("One more attempt for any of the names could lock its account.");
  return isDenied(other) || other.status >= 400 || replies.some(({ status }) => status < 500)
    ? pass()
    : inconclusive("The log-in does not judge attempts.");
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

/** The cookie of a session, or a redirect to somewhere else than the log-in, which a refused attempt is not answered with. */
function isLetIn(reply: Reply, refused: Reply): boolean {
  const isRedirected = (each: Reply): boolean => each.redirectTarget !== undefined && !isDenied(each);
  if (isRedirected(reply))
    return !isRedirected(refused) || reply.redirectTarget!.href !== refused.redirectTarget!.href;
  return isSuccess(reply) && sessionCookies(reply).length > 0 && sessionCookies(refused).length === 0;
}
