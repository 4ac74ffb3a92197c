import { defineCheck, fail, inconclusive, type Subject } from "../../engine/check.ts";
import { attemptKind, withSample } from "../../inventory/credential-attempts.ts";
import {
  examineEnumeration,
  isEmailField,
  likelyNames,
  madeUpAddress,
  NO_NAME,
} from "../../attacks/enumeration.ts";
import type { Probe } from "../../engine/probe.ts";
import { isOneTimeCode, isUserName, registrationPasswords, topLevel } from "../../inventory/sign-in.ts";
import type { Field, Operation, Parameter } from "../../inventory/operation.ts";
import { BLOCKED, isBlocked } from "../../oracles/classify.ts";
import { WRONG_ATTEMPT, type ProbeResponse } from "../../transport/exchange.ts";

/** Resets of passwords are left alone: they would send mail to people. */
export default defineCheck({
  id: "authentication/account-enumeration",
  kind: "differential",
  category: "authentication",
  title: "User enumeration on registration or account recovery",
  severity: "medium",
  confidence: "firm",
  description:
    "Registration, password recovery or code verification reveals whether an account exists. An attacker can enumerate valid user names and use them for password guessing, credential stuffing or phishing.",
  rule: "A likely name (one that the API shows, the documented example, or `admin`) is rejected as taken, or gets another status or text than a random name.",
  control:
    "Two random names get the same response; for a registration, a random name is rejected with another text.",
  remediation:
    "Return the same response whether or not the account exists, and send further instructions by email to the submitted address.",
  references: {
    cwe: 204,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  // Few requests, before many attacks use up what an operation may be sent.
  prior: () => 3,
  subjects: ({ operations }): EnumerationSubject[] =>
    operations.flatMap((operation) => {
      const kind = kindOf(operation);
      return kind ? [{ operation, location: operation.location, kind }] : [];
    }),
  notApplicable: "No operation that registers, recovers an account or takes a one-time code is known.",

  examine: ({ operation, kind }, probe) =>
    kind === "registration"
      ? examineRegistration(operation, probe)
      : kind === "code"
        ? examineCode(operation, probe)
        : examineQuestion(operation, probe),
});

interface EnumerationSubject extends Subject {
  readonly operation: Operation;
  readonly kind: "registration" | "question" | "code";
}

function kindOf(operation: Operation): EnumerationSubject["kind"] | undefined {
  const { facts } = operation;
  const fields = topLevel(facts.body?.fields ?? []);
  const takesName = fields.some(({ name }) => isUserName(name));
  if (facts.method === "GET") return RECOVERY.test(facts.path) && nameIn(operation) ? "question" : undefined;
  if (facts.method !== "POST" || !takesName) return undefined;
  if (attemptKind(operation.facts) === "one-time codes") return "code";
  return registrationPasswords(facts) ? "registration" : undefined;
}

const RECOVERY =
  /forgot|recover|security[-_]?question|exists|available|availability|check[-_]?(user|mail|name|account)|lookup/i;

const nameIn = ({ facts }: Operation): Parameter | undefined =>
  facts.parameters.find(
    ({ in: location, name }) => (location === "query" || location === "path") && isUserName(name),
  );

async function examineQuestion(operation: Operation, probe: Probe) {
  const parameter = nameIn(operation)!;
  return examineEnumeration(probe, {
    attempt: "A question",
    names: await likelyNames(probe, operation, parameter),
    request: (name) =>
      operation.request(
        parameter.in === "path"
          ? { path: { [parameter.name]: name } }
          : { query: { [parameter.name]: name } },
      ),
  });
}

async function examineCode(operation: Operation, probe: Probe) {
  const fields = topLevel(operation.facts.body!.fields);
  const user = fields.find(({ name }) => isUserName(name))!;
  const codes = fields.filter(({ name }) => isOneTimeCode(name));
  return examineEnumeration(probe, {
    attempt: "A code",
    names: await likelyNames(probe, operation, user),
    mayTry: (name) => probe.accounts.mayTryName(name, operation),
    request: (name) =>
      operation.request({
        content: withSample(operation, {
          ...Object.fromEntries(codes.map((code) => [code.path, "000000"])),
          [user.path]: name,
        }),
        form: WRONG_ATTEMPT,
      }),
  });
}

/** Nothing is registered: the password is left out, where its absence is refused. */
async function examineRegistration(operation: Operation, probe: Probe) {
  const fields = topLevel(operation.facts.body!.fields);
  const names = fields.filter(({ name }) => isUserName(name));
  const user = names.find((field) => !isEmailField(field)) ?? names[0]!;
  const passwords = registrationPasswords(operation.facts)!.map(({ path }) => path);
  const send = (name: string) => {
    const others = names.map((field) => [field.path, randomFor(field, probe)]);
    const sample = Object.entries(
      withSample(operation, { ...Object.fromEntries(others), [user.path]: name }),
    );
    return operation.request({
      content: Object.fromEntries(sample.filter(([path]) => !passwords.includes(path))),
      form: { kind: "malformed", without: passwords },
    });
  };
  const likely = await likelyNames(probe, operation, user);
  if (likely.length === 0) return inconclusive(NO_NAME);
  const control = await probe.control(send(randomFor(user, probe)));
  if (isBlocked(control)) return inconclusive(BLOCKED);
  let last = control;
  for (const name of likely) {
    last = await probe.attack(send(name));
    if (isBlocked(last)) return inconclusive(BLOCKED);
    if (saysTaken(last) && !saysTaken(control))
      return fail(
        `The registration of an existing name returned status ${last.status} and says that the name is taken.`,
      );
  }
  return inconclusive(`Status ${last.status} was returned before the name was looked up, or for every name.`);
}

const randomFor = (field: Field, probe: Probe): string =>
  isEmailField(field) ? madeUpAddress(probe.nonce()) : probe.nonce();

const saysTaken = ({ status, body }: ProbeResponse): boolean =>
  status === 409 || TAKEN.test(body.slice(0, 8_192));

const TAKEN =
  /already (exists?|taken|registered|in use|used|been taken)|(is|was) (taken|registered|in use)|exists already|duplicate|not (available|unique)|must be unique/i;
