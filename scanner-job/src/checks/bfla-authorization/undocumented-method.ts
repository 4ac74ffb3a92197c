import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type Subject,
  type TargetProfile,
} from "../../engine/check.ts";
import { isBlocked, isDenied } from "../../oracles/classify.ts";
import { isPast, stableReach, writeToNothing } from "../../attacks/impossible-write.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";
import { NO_OBJECT, type ProbeRequest } from "../../transport/exchange.ts";

interface Documented extends Subject {
  readonly operation: Operation;
  readonly methods: ReadonlySet<string>;
}

/** PUT is left out: where nothing is declared, it might create. */
const WRITES = ["DELETE", "PATCH"];

export default defineCheck({
  id: "bfla-authorization/undocumented-method",
  kind: "differential",
  category: "bflaAuthorization",
  title: "Undocumented HTTP method enabled",
  severity: "medium",
  confidence: "firm",
  description:
    "The server offers a writing method that the OpenAPI document does not contain, and executes it without credentials. Undocumented methods are seldom tested or protected.",
  rule: "`Allow` names a method that the document does not, and a write of nothing with it, to an id that cannot exist, reaches a handler every time.",
  control:
    "The same method on a path that does not exist, and a method that surely has no handler on the same path, are answered differently.",
  remediation:
    "Route only the methods that are documented and answer 405 to all others; authorize every method of a path alike.",
  references: {
    cwe: 650,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:L/VA:L/SC:N/SI:N/SA:N",
  },

  subjects: (profile): Documented[] =>
    spread(objectReads(profile).filter(({ facts }) => facts.source === "spec")).map((operation) => ({
      operation,
      location: operation.location,
      methods: methodsOf(operation, profile),
    })),
  notApplicable: "No document names an operation on a single object.",

  async examine({ operation, methods }, probe) {
    const options = await probe.baseline({ ...(await probe.withNoObject(operation)), method: "OPTIONS" });
    if (isBlocked(options) || options.status >= 500)
      return inconclusive("OPTIONS was not answered by the API.");
    const allowed = (options.headers["allow"] ?? "").toUpperCase().split(/[\s,]+/);
    for (const method of WRITES.filter((write) => allowed.includes(write) && !methods.has(write))) {
      const request = writeToNothing(operation, method)!;
      const { reach, reply } = await stableReach(probe, request);
      if (!reply || !isPast(reach)) continue;
      const unhandled = await probe.control(unhandledMethod(await probe.withNoObject(operation)));
      const isHandled = reach === "handler" || [405, 501].includes(unhandled.status);
      if (isHandled && reply.status !== unhandled.status && !isDenied(unhandled))
        return fail(`OPTIONS allows ${method}, which answered ${reply.status} without credentials.`, {
          location: { ...operation.location, method },
          ...(reach === "weakly" ? { confidence: "tentative" as const } : {}),
        });
    }
    return pass();
  },
});

const methodsOf = (
  { facts: { base, path } }: Operation,
  { operations }: TargetProfile,
): ReadonlySet<string> =>
  new Set(
    operations
      .filter(({ facts }) => facts.base === base && facts.path === path)
      .map(({ facts }) => facts.method),
  );

const unhandledMethod = (request: ProbeRequest): ProbeRequest => ({
  ...request,
  method: "PROPFIND",
  form: NO_OBJECT,
});
