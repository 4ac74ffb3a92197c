import { defineCheck, fail, inconclusive, pass, type Subject } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { writeToNothing } from "../../attacks/impossible-write.ts";
import { isPublicByNature } from "../../attacks/purpose.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import { isDestructive } from "../../inventory/effects.ts";
import { Operation, type OperationFacts } from "../../inventory/operation.ts";
import { pointerTo } from "../../json.ts";
import { isDenied, saysError } from "../../oracles/classify.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

/** The operation itself is never called, but for a DELETE of an object that cannot exist. */
export default defineCheck({
  id: "bfla-authorization/destructive-without-security",
  kind: "passive",
  category: "bflaAuthorization",
  title: "Destructive operation declared without authentication",
  severity: "medium",
  confidence: "tentative",
  description:
    "The document declares no authentication for an operation that deletes or resets data, unlike for others. If the server does not require it either, an unauthenticated attacker can destroy data.",
  rule: "The document declares no security for an operation that is destructive by its method, path, operationId or summary, and declares it for others. Where this can be tested without calling it, the server supports the method and does not require credentials.",
  control:
    "A DELETE of a nonexistent object, or OPTIONS, does not return 405, a refusal or an `Allow` header without the method, and no read without declared security is refused without credentials.",
  remediation:
    "Require administrator credentials for the operation, or remove it from production, and declare its security in the document.",
  references: {
    cwe: 306,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:L/VA:L/SC:N/SI:N/SA:N",
  },

  subjects: ({ document }): Declared[] => {
    const operations = document?.operations ?? [];
    if (!operations.some(({ security }) => security === "required")) return [];
    return operations
      .filter((facts) => facts.method === "DELETE" || destroysData(facts, operations))
      .map((facts) => ({
        facts,
        location: { method: facts.method, path: facts.base + facts.path },
        mayAsk:
          facts.method === "DELETE" || othersAt(facts, operations).some((other) => !isDestructive(other)),
      }));
  },
  notApplicable: "The document declares no destructive operation, or declares security for none.",

  async examine(declared, probe) {
    const { facts } = declared;
    if (facts.security === "required" || facts.security === "optional") return pass();
    if (await isRefused(declared, probe)) return pass();
    if (await leavesOutSecurity(probe))
      return inconclusive(
        "Credentials are required for reads too for which the document declares no security.",
      );
    return fail(`The document declares no security for ${facts.method} ${facts.base}${facts.path}.`, {
      pointer: pointerTo("paths", facts.path, facts.method.toLowerCase()),
    });
  },
});

interface Declared extends Subject {
  readonly facts: OperationFacts;
  /** OPTIONS may be sent: a handler of several methods tells them apart. A handler of one may run regardless of the method. */
  readonly mayAsk: boolean;
}

/** The server does not know the method at this path, or asks who calls. */
async function isRefused({ facts, mayAsk }: Declared, probe: Probe): Promise<boolean> {
  const { method } = facts;
  const operation = new Operation(probe.profile.target.origin, facts);
  const nothing =
    method === "DELETE" && !isDestructive(facts) ? writeToNothing(operation, method) : undefined;
  if (nothing) {
    const response = await probe.attack(nothing);
    if (isDenied(response) || [405, 501].includes(response.status) || saysNotAllowed(response)) return true;
  }
  if (!mayAsk) return false;
  const options = operation.requestForNoObject({ method: "OPTIONS" });
  const allowed = methodsIn(await probe.control(options));
  if (allowed.length === 0 || allowed.includes(method)) return false;
  // What a server in front names for every path is not what the path allows.
  return methodsIn(await probe.missing(options)).join() !== allowed.join();
}

/** Reads without declared security that are tried without credentials. */
const MAX_READS = 5;

/** The document does not say of every operation that it requires credentials, so that its silence means nothing. */
async function leavesOutSecurity(probe: Probe): Promise<boolean> {
  const undeclared = spread(
    reads(probe.profile).filter(
      ({ facts, idParameter }) => facts.security === "undeclared" && idParameter === undefined,
    ),
  );
  for (const operation of undeclared.slice(0, MAX_READS))
    if (isDenied(await probe.control(operation.request()))) return true;
  return false;
}

/** As by APIs whose errors have status 200. */
const saysNotAllowed = ({ json, body }: ProbeResponse): boolean =>
  saysError(json) && /\bmethod\b.{0,20}\bnot (allowed|supported)\b/i.test(body);

const methodsIn = ({ headers }: ProbeResponse): readonly string[] =>
  (headers["allow"] ?? "")
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .toSorted();

/** Signing out or cancelling one's own objects needs no privileges. */
function destroysData(facts: OperationFacts, all: readonly OperationFacts[]): boolean {
  const { operationId, ...unnamed } = facts;
  const named = operationId === undefined || isOfAnother(facts, all) ? unnamed : facts;
  return (
    isDestructive(named) &&
    !isPublicByNature(facts) &&
    !/log-?(out|off)|sign-?(out|off)|unsubscribe|cancel|revoke/i.test(`${facts.path} ${operationId ?? ""}`)
  );
}

/**
 * The operationId names another method: it is declared twice, it ends in the name of another method, as for handlers
 * of several methods, or the path has a DELETE, whose name a read of it cannot mean.
 */
function isOfAnother(facts: OperationFacts, all: readonly OperationFacts[]): boolean {
  const { method, operationId = "" } = facts;
  const [, named] = /[_-](get|put|post|patch|delete|head|options)$/i.exec(operationId) ?? [];
  return (
    (named !== undefined && named.toUpperCase() !== method) ||
    all.some((other) => other !== facts && other.operationId === operationId) ||
    (method === "GET" && othersAt(facts, all).some((other) => other.method === "DELETE"))
  );
}

const othersAt = (facts: OperationFacts, all: readonly OperationFacts[]): readonly OperationFacts[] =>
  all.filter((other) => other !== facts && other.base === facts.base && other.path === facts.path);
