import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type Subject,
  type TargetProfile,
  type Verdict,
} from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { validationErrors } from "../../inventory/validation-errors.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";
import { isDenied, rejectsInput, withoutMeaning } from "../../oracles/classify.ts";
import { impactOfWrite } from "../../attacks/impact.ts";
import { responseToNoObject } from "../../attacks/object-control.ts";
import { isPast, stableReach, writeToNothing, type Reach } from "../../attacks/impossible-write.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

interface Resource extends Subject {
  readonly operation: Operation;
  /** What writes to the same path: as declared, or the read itself where it was discovered. */
  readonly writes: readonly { readonly method: string; readonly operation: Operation }[];
}

const WRITES = ["PUT", "PATCH", "DELETE"];

export default defineCheck({
  id: "bola-authorization/method-differential",
  kind: "differential",
  category: "bolaAuthorization",
  title: "Inconsistent authorization across HTTP methods",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "Reading the object requires credentials, but another method on the same path does not. An unauthenticated attacker can change or delete objects without being able to read them.",
  rule: "Reading returns 401 or 403, while an empty write to a nonexistent ID reaches the handler every time (422, 412 or a success; 404 is weaker evidence).",
  control:
    "Reading the same path is refused, and the same write to a nonexistent path gets a different response.",
  remediation:
    "Authorize per resource, before dispatching on the method, with one rule that covers all methods and denies by default.",
  references: {
    cwe: 862,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:L/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(objectReads(profile)).flatMap((read) => resourceOf(read, profile)),
  notApplicable: "No path supports both reading and writing an object.",

  async examine({ operation: read, writes }, probe) {
    const refused = await responseToNoObject(read, probe);
    const unclear = withoutMeaning(refused);
    if (unclear) return inconclusive(unclear);
    if (!isDenied(refused)) return pass();

    const seen: Seen[] = [];
    for (const { method, operation } of writes) seen.push(await tried(operation, method, probe));
    const past = seen.filter(({ reach }) => isPast(reach));
    if (past.length === 0)
      return seen.every(({ reach }) => reach === "denied")
        ? pass()
        : inconclusive("The responses to writes do not show whether they were refused.");
    return differentialOf(read, refused, past);
  },
});

/** A write of nothing to nothing, and how far it got. */
interface Seen {
  readonly method: string;
  /** 0 without a response. */
  readonly status: number;
  readonly reach: Reach;
  readonly isGrave: boolean;
}

async function tried(operation: Operation, method: string, probe: Probe): Promise<Seen> {
  const { reach, response } = await stableReach(probe, writeToNothing(operation, method)!);
  return {
    ...{
      method,
      status: response?.status ?? 0,
      reach: response && isAboutForm(response) ? "unknown" : reach,
    },
    isGrave: impactOfWrite({ ...operation.facts, method }, [])?.severity === "critical",
  };
}

/** The verdict where writes got past the refusal of the read. */
function differentialOf(read: Operation, refused: ProbeResponse, past: readonly Seen[]): Verdict {
  const handled = past.filter(({ reach }) => reach === "handler");
  const certain = handled.find(({ isGrave }) => isGrave) ?? handled[0];
  const location = { ...read.location, method: (certain ?? past[0]!).method };
  const writes = past.map(({ method, status }) => `${method} with ${status}`).join(", ");
  return fail(
    `GET returns status ${refused.status}, but ${writes}.`,
    certain
      ? // Anyone who may change, promote or delete users owns the API.
        { location, ...(certain.isGrave && { severity: "critical" }) }
      : { location, severity: "medium", confidence: "tentative" },
  );
}

/** A body may be parsed before authentication: then the caller may be authorized only after it. */
function isAboutForm(response: ProbeResponse): boolean {
  if (response.status === 400 || response.status === 415) return true;
  const isErrorAsSuccess = response.status < 300 && rejectsInput(response);
  // A complaint about a named field comes from the handler's validation.
  return isErrorAsSuccess && validationErrors(response.json).length === 0;
}

function resourceOf(read: Operation, { operations }: TargetProfile): Resource[] {
  const declared = operations.filter(
    ({ facts }) =>
      WRITES.includes(facts.method) && facts.base === read.facts.base && facts.path === read.facts.path,
  );
  const candidates =
    read.facts.source === "spec"
      ? declared.map((operation) => ({ method: operation.facts.method, operation }))
      : WRITES.map((method) => ({ method, operation: read }));
  const writes = candidates.filter(
    ({ method, operation }) => writeToNothing(operation, method) && isProtected(operation),
  );
  return writes.length > 0 ? [{ location: read.location, operation: read, writes }] : [];
}

/** A write that the document calls public is meant to be. */
const isProtected = ({ facts: { security } }: Operation): boolean =>
  security === "required" || security === "undeclared";
