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
    "The server supports a write method that is missing in the OpenAPI document, and executes it without credentials. Undocumented methods are rarely tested or protected, and an attacker may be able to change or delete data.",
  rule: "`Allow` lists an undocumented method, and an empty write with it to a nonexistent ID reaches a handler every time.",
  control:
    "The same method on a nonexistent path, and a nonexistent method on the same path, get different responses.",
  remediation:
    "Route only documented methods, return 405 for all others, and enforce the same authorization for every method of a path.",
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
  notApplicable: "No document declares an operation on a single object.",

  async examine({ operation, methods }, probe) {
    const options = await probe.baseline({ ...(await probe.withNoObject(operation)), method: "OPTIONS" });
    if (isBlocked(options) || options.status >= 500) return inconclusive("OPTIONS did not reach the API.");
    const allowed = (options.headers["allow"] ?? "").toUpperCase().split(/[\s,]+/);
    for (const method of WRITES.filter((write) => allowed.includes(write) && !methods.has(write))) {
      const request = writeToNothing(operation, method)!;
      const { reach, response } = await stableReach(probe, request);
      if (!response || !isPast(reach)) continue;
      const unhandled = await probe.control(unhandledMethod(await probe.withNoObject(operation)));
      const isHandled = reach === "handler" || [405, 501].includes(unhandled.status);
      if (isHandled && response.status !== unhandled.status && !isDenied(unhandled))
        return fail(
          `OPTIONS allows ${method}, which returned status ${response.status} without credentials.`,
          {
            location: { ...operation.location, method },
            ...(reach === "weakly" ? { confidence: "tentative" as const } : {}),
          },
        );
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
