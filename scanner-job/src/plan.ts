import { type PlanFrame } from "@glovebox/scan-run";
import { type ScanFailure, type ScanOrder } from "@glovebox/contract";
import { connect, type Connection } from "./connect.ts";
import { subjectsOf, type Check, type TargetProfile } from "./engine/check.ts";
import { givenDocument } from "./inventory/given-document.ts";
import { readDocument, type ApiDocument } from "./inventory/api-document.ts";
import { isDestructive } from "./inventory/effects.ts";
import { Explorer } from "./inventory/discovery/explorer.ts";
import { findDocument } from "./inventory/discovery/find-document.ts";
import { notesOnScope } from "./engine/scope.ts";
import { Operation, type OperationFacts } from "./inventory/operation.ts";
import { calibrationOf } from "./oracles/not-found.ts";
import { ProbeResponse, readOf } from "./transport/exchange.ts";
import { checksOf } from "./only.ts";
import { failureBy } from "./failure-by.ts";
import type { ScanDeps } from "./scan.ts";
import type { Transport } from "./transport/transport.ts";

/** Number of URLs that are requested to find a document, where none is given. */
const MAX_REQUESTS = 40;

/** The plan that an order requested, or why there is none. */
export async function plan(
  order: ScanOrder,
  { checks, now, today }: Pick<ScanDeps, "checks" | "now" | "today">,
): Promise<readonly PlanFrame[] | ScanFailure> {
  const signal = AbortSignal.timeout(order.limits.deadlineSeconds * 1000);
  const connection = connect(order, { signal, now, today });
  try {
    await connection.signIn();
    return connection.masked(await planOf(order, { ...connection, checks: checksOf(order, checks) }));
  } catch (error) {
    return connection.masked(failureBy(error));
  } finally {
    await connection.transport.close();
  }
}

/**
 * What a scan of this order would examine, as far as it is known before the scan: only the requests are sent that read the
 * document. Without one, the operations are those that a scan still has to find.
 */
async function planOf(
  order: ScanOrder,
  {
    transport,
    selection,
    callers,
    sessions,
    checks,
  }: Pick<Connection, "transport" | "selection" | "callers" | "sessions"> & { checks: readonly Check[] },
): Promise<PlanFrame[]> {
  const target = new URL(order.url);
  const send = transport.send.bind(transport);
  const given = await givenDocument({ send, target, read: readDocument }, order);
  const document = given.document ?? (order.spec ? undefined : await found(transport, target));
  const facts = selection.among(document?.operations ?? []);
  const operations = facts
    .filter((each) => !isDestructive(each))
    .map((each) => new Operation(target.origin, each));
  const baselineCaller = transport.baselineCaller;
  const profile = profileOf(order, { target, document, operations, callers, baselineCaller, sessions });
  return [
    ...facts.map((each) => operationFrame(each, target)),
    ...checks.map((check) => checkFrame(check, profile)),
    ...[...given.notes, ...(document?.notes ?? []), ...notesOnScope(selection)].map(noteFrame),
    { frame: "plan", kind: "end", requests: transport.requestsSent, document: document !== undefined },
  ];
}

function found(transport: Transport, target: URL): Promise<ApiDocument | undefined> {
  const explorer = new Explorer(
    (request, options) => transport.send(request, { ...options, filters: "exclude" }),
    target,
    MAX_REQUESTS,
  );
  return findDocument({ explorer, target, readDocument }, { entry: undefined, hints: [] });
}

/** The minimal profile of a target, before any request to it. */
function profileOf(
  { context, expectations = [] }: ScanOrder,
  known: Pick<
    TargetProfile,
    "target" | "document" | "operations" | "callers" | "baselineCaller" | "sessions"
  >,
): TargetProfile {
  const path = known.target.pathname.replace(/\/+$/, "") || "/";
  return {
    ...known,
    neverCalled: [],
    entry: new ProbeResponse({ request: readOf(known.target.href), status: 200, headers: {}, body: "" }),
    host: { location: { method: "GET", path } },
    calibration: calibrationOf([], ""),
    products: new Set(),
    context,
    expectations,
  };
}

function operationFrame(facts: OperationFacts, target: URL): PlanFrame {
  const called = isDestructive(facts)
    ? "never"
    : new Operation(target.origin, facts).isRead
      ? "as described"
      : "so that it fails";
  return {
    frame: "plan",
    kind: "operation",
    method: facts.method,
    path: (facts.base + facts.path).slice(0, 1_000),
    called,
  };
}

const checkFrame = (check: Check, profile: TargetProfile): PlanFrame => ({
  ...{ frame: "plan", kind: "check", check: check.id, title: check.title, category: check.category },
  subjects: subjectsOf(check, profile).length,
});

const noteFrame = (note: string): PlanFrame => ({ frame: "plan", kind: "note", note: note.slice(0, 500) });
