import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type Subject,
  type TargetProfile,
} from "../../engine/check.ts";
import { isDenied, isRejectedInput } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { reachOf, writeToNothing } from "../../attacks/impossible-write.ts";
import { guardedReads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";

interface Write extends Subject {
  readonly operation: Operation;
  /** The read of the same path, if there is one: where it is refused, another check compares the two. */
  readonly read: Operation | undefined;
}

export default defineCheck({
  id: "bfla-authorization/auth-after-validation",
  kind: "differential",
  category: "bflaAuthorization",
  title: "Input validated before authentication",
  severity: "low",
  confidence: "firm",
  description:
    "The operation validates the body before it authenticates the caller, unlike other operations of the API. An unauthenticated attacker can reach its code and enumerate its fields; authentication may be missing altogether.",
  rule: "A body that is not JSON, and then a list where an object is declared, both return 400, 415 or 422 without credentials.",
  control:
    "Another operation of the API refuses requests without credentials, and the same write to a nonexistent path gets a different response.",
  remediation:
    "Authenticate and authorize the caller before reading or validating the body, for all methods and in one central component.",
  references: { cwe: 696, owasp: "API5:2023" },

  subjects: (profile): Write[] =>
    spread(profile.operations.filter(takesDeclaredObject)).map((operation) => ({
      operation,
      location: operation.location,
      read: readOf(operation, profile),
    })),
  notApplicable: "No operation that changes an object declares both its credentials and its required fields.",

  async examine({ operation, read }, probe) {
    if (read?.idParameter && isDenied(await probe.baseline(await probe.withNoObject(read)))) return pass();

    const unreadable = withBody(operation, "{");
    const missing = await probe.missing(unreadable);
    const first = await probe.attack(unreadable);
    if (isDenied(first)) return pass();
    if (!isRejected(first, missing))
      return inconclusive("The response does not show whether the body was validated.");

    // Many frameworks read JSON before anything else: only a readable body shows what comes next.
    const readable = withBody(operation, "[]");
    const second = await probe.attack(readable);
    if (isDenied(second)) return pass();
    if (!isRejected(second, await probe.missing(readable)))
      return inconclusive("The response does not show whether the body was validated.");
    return (await someReadIsRefused(probe))
      ? fail(
          `A body of the wrong type returned status ${second.status}, where other operations require credentials.`,
        )
      : inconclusive(
          "No operation of this API requires credentials, so there is no refusal to compare with.",
        );
  },
});

function takesDeclaredObject({ facts, idParameter }: Operation): boolean {
  const { method, security, body } = facts;
  if (security !== "required" || !body || !/json/i.test(body.mediaType) || Array.isArray(body.sample))
    return false;
  // A collection has no id that could be made impossible: what is sent there may be stored.
  const isTarget = idParameter !== undefined && ["PUT", "PATCH"].includes(method);
  return isTarget && body.fields.some(({ required }) => required);
}

const readOf = ({ facts }: Operation, { operations }: TargetProfile): Operation | undefined =>
  operations.find(
    (other) =>
      other.facts.method === "GET" && other.facts.base === facts.base && other.facts.path === facts.path,
  );

const withBody = (operation: Operation, body: string): ProbeRequest => ({
  ...writeToNothing(operation, operation.facts.method)!,
  body,
});

const isRejected = (response: ProbeResponse, missing: ProbeResponse): boolean =>
  isRejectedInput(response) && reachOf(response, missing) === "handler";

async function someReadIsRefused(probe: Probe): Promise<boolean> {
  for (const read of guardedReads(probe.profile).slice(0, 4))
    if (isDenied(await probe.control(await probe.withRealIds(read)))) return true;
  return false;
}
