import { ANONYMOUS } from "@glovebox/contract";
import { randomInt } from "node:crypto";
import { verdictOnHeldUp } from "../../attacks/held-up-attempts.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { attemptKind, attemptRequest, emptyAttempt } from "../../inventory/credential-attempts.ts";
import { isBlocked, isDenied, isRejectedInput, withoutMeaning } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { mayBeLockout, RECURRENCES } from "../../oracles/lockout.ts";
import { saysLocked } from "../../oracles/throttling.ts";
import { validationErrors } from "../../inventory/validation-errors.ts";
import { graphqlRequest } from "../../inventory/graphql/request.ts";
import type { Operation } from "../../inventory/operation.ts";
import { readOf, type ProbeResponse } from "../../transport/exchange.ts";

/** Attempts in each of the two examinations, all for one random user: twelve in total, and two more where one may be held up. */
const ATTEMPTS = 6;

export default defineCheck({
  id: "rate-limiting/login-throttling",
  kind: "burst",
  category: "rateLimiting",
  caller: ANONYMOUS,
  title: "Missing brute-force protection on authentication",
  severity: { default: "medium", financial: "high" },
  confidence: "firm",
  description:
    "Repeated logins, password resets or one-time codes are not throttled, locked or met by a CAPTCHA. An attacker can guess passwords and codes at network speed.",
  rule: `${ATTEMPTS} wrong attempts in a row get the same refusal: no 429, and no CAPTCHA, lockout or growing delay that recurs and is absent from the first two.`,
  control:
    "An empty body gets a different response; otherwise a GET of the path, a sibling path and a random path do not exist (for GraphQL, a random field): the attempts were evaluated.",
  remediation:
    "Count failed attempts per account and client address, delay or reject after five with 429 and `Retry-After`, and expire one-time codes after a few wrong ones.",
  references: {
    cwe: 307,
    owasp: "API4:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: ({ operations }) => operations.filter((operation) => attemptKind(operation.facts)),
  notApplicable: "No operation signs in, resets a password or takes a one-time code.",

  async examine(operation, probe) {
    const user = probe.profile.calibration.nonce;
    const attempt = () =>
      attemptRequest(operation, {
        user,
        password: probe.nonce(),
        code: String(randomInt(100_000, 1_000_000)),
      });
    const responses = await probe.burst(attempt, ATTEMPTS, isBlocked);
    const first = responses[0]!;
    if (first.status === 429) return pass();
    const unclear = responses.find(isUnclear);
    if (unclear === first) return inconclusive(withoutMeaning(first)!);
    if (mayBeLockout(responses)) responses.push(...(await probe.burst(attempt, RECURRENCES - 1, is429)));
    const heldUp = await verdictOnHeldUp(responses, probe);
    if (heldUp) return heldUp;
    if (saysLocked(first)) return inconclusive(LOCKED_BEFORE);
    const last = responses.at(-1)!;
    if (last.status !== first.status)
      return inconclusive(`The first attempt returned status ${first.status}, and the last ${last.status}.`);
    return (await areJudged(operation, { first, probe }))
      ? fail(
          `No throttling was observed within ${responses.length} ${attemptKind(operation.facts)}; the last returned status ${last.status}.`,
        )
      : inconclusive("Attempts get the same response as requests without credentials.");
  },
});

const is429 = ({ status }: ProbeResponse): boolean => status === 429;

const LOCKED_BEFORE =
  "The first response already reports a limit on attempts: it is part of every refusal, or earlier attempts were counted.";

/** Some refuse an unknown user with a fault, which says so. */
const isUnclear = (response: ProbeResponse): boolean =>
  withoutMeaning(response) !== undefined &&
  !(response.status === 500 && NAMES_USER.test(response.body.slice(0, 4096)));
const COMMON_NAME = "admin";
/** The refusal is about who calls, such as a client without a key, and not about a name and a password. */
const ASKS_FOR_CLIENT =
  /\b(missing|no|requires?|required|provide|invalid)\b.{0,30}\b(api[-_ ]?key|access[-_ ]token|bearer|authorization header)\b|\b(api[-_ ]?key|access[-_ ]token|bearer token|authorization header)\b.{0,30}\b(missing|required|not found)\b|\binvalid_client\b/i;
/** It asks for a client, or for input of another form: no name and password were compared. */
const isNotAboutPassword = (refusal: ProbeResponse): boolean =>
  ASKS_FOR_CLIENT.test(refusal.body.slice(0, 4096)) ||
  (isRejectedInput(refusal) && validationErrors(refusal.json ?? refusal.body).length > 0);
const NAMES_USER = /\b(user|account|e-?mail|password|credentials?|log-?in)\b/i;

/**
 * An empty body may be refused like a wrong password; then that nothing else is refused there must do. Of GraphQL, that the query
 * is valid: one for a random field is not.
 */
async function areJudged(
  operation: Operation,
  { first, probe }: { first: ProbeResponse; probe: Probe },
): Promise<boolean> {
  if (operation.facts.graphqlField !== undefined) {
    const url = operation.request().url;
    return !areSimilar(await probe.control(graphqlRequest(url, `{${probe.nonce()}}`)), first);
  }
  if (isNotAboutPassword(first)) return false;
  // A host that responds to any path like this judges nothing.
  if (isNoBetterThan(await probe.missing(first.request), first)) return false;
  const empty = emptyAttempt(operation);
  if (!areSimilar(await probe.control(empty), first)) return true;
  if (first.status === 500) {
    // Where an unknown name is a fault, one that most systems have is not. A reset would send that user mail.
    if (attemptKind(operation.facts) !== "sign-ins" || !probe.accounts.mayTryPassword(COMMON_NAME))
      return false;
    const likely = attemptRequest(operation, { user: COMMON_NAME, password: probe.nonce(), code: "000000" });
    return !areSimilar(await probe.control(likely), first);
  }
  if (operation.facts.security === "required" || isRejectedInput(first)) return false;
  return isDenied(first) && !(await isGuarded(operation, { first, probe }));
}

/**
 * Something in front refuses anything that is sent to the path: another method, a path beside it that does not exist, or a random
 * path. A sign-in refuses attempts only.
 */
async function isGuarded(
  operation: Operation,
  { first, probe }: { first: ProbeResponse; probe: Probe },
): Promise<boolean> {
  const read = readOf(operation.request().url);
  const beside = new URL(probe.nonce(), read.url).href;
  const controls = [
    () => probe.control(read),
    () => probe.control(readOf(beside)),
    () => probe.missing(read),
  ];
  for (const send of controls) {
    const response = await send();
    if (isDenied(response) && response.status === first.status) return true;
  }
  return isDenied(await probe.missing(emptyAttempt(operation)));
}
