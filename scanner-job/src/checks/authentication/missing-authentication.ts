import { carriersFor, presenting } from "../../attacks/credentials.ts";
import { impactOfRead, impactOfWrite, type Impact } from "../../attacks/impact.ts";
import { isPublicByNature } from "../../attacks/purpose.ts";
import { spread, theHost } from "../../attacks/subjects.ts";
import { defineCheck, fail, inconclusive, pass, type Affected, type Verdict } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { isDestructive } from "../../inventory/effects.ts";
import { graphqlMutations, INTROSPECTION } from "../../inventory/graphql/queries.ts";
import { graphqlData, graphqlRequest } from "../../inventory/graphql/request.ts";
import { Operation } from "../../inventory/operation.ts";
import { signInFields } from "../../inventory/sign-in.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { holdsData } from "../../oracles/records.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";
import { responseOrNothing } from "../../transport/network-error.ts";

/** Reads whose responses are judged, and operations that the finding names. */
const [MAX_READS, MAX_NAMED] = [40, 60];
/** Operations that must have responded: from fewer nothing is concluded, unless they are half of those that were called. */
const ENOUGH = 3;

export default defineCheck({
  id: "authentication/missing-authentication",
  kind: "burst",
  category: "authentication",
  title: "Missing authentication",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "No operation of the API requires credentials. Anyone who can reach it can read its data and call its write operations, which this check lists but does not send.",
  rule: "No operation returns 401, 403 or a redirect to a login page, several return data without credentials, and the API has writes, administration or data that is not public. Critical where operations administer the system, execute code or return personal data; info where the API only reads public data.",
  control:
    "An invalid credential makes no difference, and the same request to a nonexistent path gets a different response.",
  remediation:
    "Require authentication for every operation in one central component, deny by default, and list the public operations explicitly. Until then, restrict network access to the API.",
  references: {
    cwe: 306,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  /** By then it is known how far anonymous requests of all checks got. */

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(_, probe) {
    const operations = probe.profile.operations.filter(mayNeedCredentials(probe));
    if (operations.some((operation) => probe.accessTo(operation) === "refused")) return pass();
    const reads = await openReads(operations, probe);
    const writes = await writesOf(operations, { reads, probe });
    const api = { reads, writes };
    return (
      knowsTooLittle(api, { operations, probe }) ??
      (await ignoresCredentials(reads, probe)) ??
      judge(api, probe)
    );
  },
});

/** An operation that responded, or that is only named. */
interface Open {
  readonly operation: Operation;
  /** What it means that it is open; undefined for what may be public. */
  readonly impact: Impact | undefined;
  /** A read that returned data, or a write that was sent so that it cannot succeed and was not refused. */
  readonly isReached: boolean;
  readonly requests: readonly ProbeRequest[];
  readonly response?: ProbeResponse;
}

interface Api {
  readonly reads: readonly Open[];
  readonly writes: readonly Open[];
}

/** A sign-in refuses wrong passwords; signs of life and the submitted address itself are open everywhere. */
const mayNeedCredentials =
  ({ profile }: Probe) =>
  ({ facts, location }: Operation): boolean =>
    !isPublicByNature(facts) &&
    signInFields(facts) === undefined &&
    location.path !== profile.host.location.path;

/** The reads that return data to a caller without credentials, and that no path returns that cannot exist. */
async function openReads(operations: readonly Operation[], probe: Probe): Promise<Open[]> {
  const open: Open[] = [];
  for (const operation of spread(operations.filter(({ isRead }) => isRead)).slice(0, MAX_READS)) {
    // One that stores what it is sent, or that gets no response, leaves the others to be judged.
    const send = (request: ProbeRequest): Promise<ProbeResponse> => probe.attack(request);
    const response = await responseOrNothing(send, await probe.withRealIds(operation));
    if (!response || !isSuccess(response) || !holdsData(response.json)) continue;
    const missing = await responseOrNothing(
      (request: ProbeRequest) => probe.missing(request),
      response.request,
    );
    if (!missing || isNoBetterThan(missing, response)) continue;
    open.push({
      ...{ operation, response, isReached: true },
      impact: impactOfRead(operation.facts, response),
      requests: [response.request, missing.request],
    });
  }
  return open;
}

/** The writes, those that are never called included. */
async function writesOf(
  operations: readonly Operation[],
  { reads, probe }: Pick<Api, "reads"> & { probe: Probe },
): Promise<Open[]> {
  const { document, target } = probe.profile;
  const neverCalled = (document?.operations ?? [])
    .filter(isDestructive)
    .map((facts) => new Operation(target.origin, facts));
  const mutations = await mutationsOf(reads, probe);
  const writes = [...operations.filter(({ isRead }) => !isRead), ...neverCalled, ...mutations];
  return writes.map((operation) => ({
    operation,
    impact: impactOfWrite(operation.facts, recordsOf(operation, reads)),
    isReached: probe.accessTo(operation) === "allowed",
    requests: reads.find(({ operation: { facts } }) => facts.graphqlField !== undefined)?.requests ?? [],
  }));
}

/** The mutations that a GraphQL endpoint shows, where one of its queries is open. */
async function mutationsOf(reads: readonly Open[], probe: Probe): Promise<Operation[]> {
  const query = reads.find(({ operation }) => operation.facts.graphqlField !== undefined);
  if (!query?.response) return [];
  const { url } = query.response.request;
  const { json } = await probe.baseline(graphqlRequest(url, INTROSPECTION));
  return graphqlMutations(graphqlData(json)[0]?.["__schema"], new URL(url).pathname)
    .filter((facts) => signInFields(facts) === undefined)
    .map((facts) => new Operation(probe.profile.target.origin, facts));
}

/** What reads of the same collection returned. */
const recordsOf = ({ location }: Operation, reads: readonly Open[]): readonly unknown[] =>
  reads
    .filter(({ operation }) => collectionOf(operation.location.path) === collectionOf(location.path))
    .flatMap(({ operation, response }) =>
      operation.facts.graphqlField === undefined ? [response?.json] : [],
    );

const collectionOf = (path: string): string => path.split("/{")[0]!.replace(/\/+$/, "");

function knowsTooLittle(
  { reads, writes }: Api,
  { operations, probe }: { operations: readonly Operation[]; probe: Probe },
): Verdict | undefined {
  const reached = reads.length + writes.filter(({ isReached }) => isReached).length;
  const called = operations.filter((operation) => probe.accessTo(operation) !== "notCalled").length;
  const isEnough = reached >= ENOUGH || (reached >= ENOUGH - 1 && reached >= called / 2);
  return isEnough
    ? undefined
    : inconclusive(`Only ${reached} of ${called} operations returned a conclusive response.`);
}

/** An API that refuses an invalid credential authenticates callers: what it serves to others may be public on purpose. */
async function ignoresCredentials(reads: readonly Open[], probe: Probe): Promise<Verdict | undefined> {
  for (const { operation, response } of reads.slice(0, 2)) {
    const [carrier] = carriersFor(operation, probe.profile.document);
    if (!carrier || !response) continue;
    const presented = await probe.control(presenting(response.request, carrier, probe.nonce()));
    if (!isSuccess(presented))
      return inconclusive("An invalid credential is refused, so some part of the API authenticates callers.");
  }
  return undefined;
}

/** What follows for an API that refuses nobody. Pure but for what the probe knows. */
function judge({ reads, writes }: Api, { profile }: Probe): Verdict {
  // What neither the document nor the schema names cannot be shown without a request.
  const named = writes.filter(
    ({ impact, operation: { facts } }) =>
      impact && (facts.source === "spec" || facts.graphqlField !== undefined),
  );
  const guarded = reads.filter(({ impact }) => impact && (!impact.isContact || named.length > 0));
  const reached = named.filter(({ isReached }) => isReached);
  const total = `None of the ${reads.length + reached.length} operations that responded required credentials`;
  if (guarded.length + reached.length === 0) {
    if (writes.length === 0)
      return fail(`${total}. They only read, and all data that they returned is public.`, {
        severity: "info",
      });
    if (named.length === 0) return pass();
    if (!declaresNothing(profile.document))
      return inconclusive("The returned data is public, and whether writes are protected was not tested.");
  }
  // An API that shows its inside to everybody has no guard in front of its writes either.
  const isCertain = reached.length > 0 || guarded.some(({ impact }) => impact?.isInternal);
  const locations = [
    ...guarded.map((open) =>
      affected(open, { observed: "Without credentials the operation", isCertain: true }),
    ),
    ...reached.map((open) =>
      affected(open, {
        observed: "A write that cannot succeed was not refused. The operation",
        isCertain: true,
      }),
    ),
    ...named
      .filter(({ isReached }) => !isReached)
      .map((open) => affected(open, { observed: "Not sent. The operation", isCertain })),
  ];
  const unsent = named.length - reached.length;
  return fail(
    `${total}, and an invalid credential made no difference. ${unsent} writes are listed and were not sent.`,
    {
      locations: locations.slice(0, MAX_NAMED),
    },
  );
}

const declaresNothing = (document: Probe["profile"]["document"]): boolean =>
  document !== undefined &&
  document.securitySchemes.length === 0 &&
  document.operations.every(({ security }) => security === "undeclared");

function affected(
  { operation, impact, requests, response }: Open,
  { observed, isCertain }: { observed: string; isCertain: boolean },
): Affected {
  const { severity, does } = impact!;
  const confidence = response ? "confirmed" : isCertain ? "firm" : "tentative";
  return {
    ...{ location: operation.location, observed: `${observed} ${does}.`, confidence, requests },
    ...(severity && { severity }),
    ...(!response && operation.facts.source === "spec" && { pointer: operation.pointer }),
  };
}
