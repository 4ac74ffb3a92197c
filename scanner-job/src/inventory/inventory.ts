import type { ScanOrder } from "@glovebox/contract";
import { type Calibration } from "../oracles/not-found.ts";
import { responseOrNothing } from "../transport/network-error.ts";
import type { SendOptions } from "../transport/transport.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { type ApiDocument, readDocument } from "./api-document.ts";
import { withRespondingBases } from "./base-path.ts";
import { discover } from "./discovery/discover.ts";
import { findModelEndpoints } from "./discovery/model-endpoints.ts";
import { isDestructive } from "./effects.ts";
import { findGraphql } from "./graphql/find-endpoint.ts";
import { graphqlOperations, INTROSPECTION } from "./graphql/queries.ts";
import { graphqlData, graphqlRequest } from "./graphql/request.ts";
import { schemaFromErrors } from "./graphql/schema-from-errors.ts";
import { givenDocument } from "./given-document.ts";
import { identityOf } from "./known-operations.ts";
import { Operation, type OperationFacts } from "./operation.ts";
import { NothingSelected, type Selection } from "./selection.ts";
import { findSoapServices } from "./soap/find-services.ts";

export interface Inventory {
  readonly document: ApiDocument | undefined;
  readonly operations: readonly Operation[];
  /** Those that by name or description delete, reset, stop or sign out. */
  readonly neverCalled: readonly Operation[];
  readonly notes: string[];
}

interface InventoryDeps {
  readonly send: (request: ProbeRequest, options?: SendOptions) => Promise<ProbeResponse>;
  readonly target: URL;
  readonly order: Pick<ScanOrder, "spec" | "needsSpec" | "limits">;
  readonly calibration: Calibration;
  readonly selection: Selection;
}

/**
 * The operations of the target: from the document of the order where one is given and usable, and by discovery.
 * An unusable document is reported in the notes, and the scan continues without it.
 */
export async function takeInventory({
  send,
  target,
  order,
  calibration,
  selection,
}: InventoryDeps): Promise<Inventory> {
  const deps = { send: toFindOperations(send), target, calibration };
  const read: typeof readDocument = (text, source) =>
    readDocument(text, source).then(async (result) =>
      "unusable" in result
        ? result
        : { document: await withRespondingBases(deps, selected(result.document, selection)) },
    );
  const given = await givenDocument({ send, target, read }, order);
  const found = await discover({
    send,
    targetUrl: target,
    isMissing: (response) => calibration.looksMissing(response),
    readDocument: read,
    maxRequests: order.limits.maxRequests,
    ...(given.document ? { document: given.document } : {}),
  });
  const document = given.document ?? found.document;
  selection.among(document?.operations ?? []); // with the bases below which they are
  const overHttp = merged(document?.operations ?? [], found.operations);
  const further = await Promise.all([
    graphqlQueries({ send, target, calibration }, overHttp),
    findModelEndpoints({ send, target, calibration }, overHttp),
    findSoapServices({ send, target, calibration }, overHttp),
  ]);
  const facts = selection.among([...overHttp, ...further.flat()]);
  const [destructive, callable] = [facts.filter(isDestructive), facts.filter((each) => !isDestructive(each))];
  const leftOut = [
    ...destructive.map(
      ({ method, base, path, soapOperation, graphqlField: inBody = soapOperation }) =>
        `${method} ${base}${path}${inBody === undefined ? "" : ` (${inBody})`}`,
    ),
    ...found.leftOut,
  ];
  const built = (all: readonly OperationFacts[]) => all.map((each) => new Operation(target.origin, each));
  return {
    document,
    operations: built(callable),
    neverCalled: built(destructive),
    notes: [...given.notes, ...(document?.notes ?? []), ...found.notes, ...noteOnLeftOut(leftOut)],
  };
}

/** What the document describes of the operations that the order selects. @throws NothingSelected */
function selected(document: ApiDocument, selection: Selection): ApiDocument {
  const operations = selection.among(document.operations);
  if (operations.length === 0 && document.operations.length > 0)
    throw new NothingSelected(document.operations.length);
  return { ...document, operations };
}

/** Where the operations of the document are is found out before it is known which requests call them. */
const toFindOperations =
  (send: InventoryDeps["send"]): InventoryDeps["send"] =>
  (request, options) =>
    send(request, { ...options, filters: "exclude" });

/** The queries of a GraphQL endpoint that shows its schema to anyone, or as much of it as its errors give away. */
async function graphqlQueries(
  { send, target, calibration }: Pick<InventoryDeps, "send" | "target" | "calibration">,
  known: readonly OperationFacts[],
): Promise<OperationFacts[]> {
  if (calibration.deniesEverything) return [];
  const ask = (request: ProbeRequest): Promise<ProbeResponse | undefined> => responseOrNothing(send, request);
  const url = await findGraphql(ask, { target, known, calibration });
  if (url === undefined) return [];
  const response = await ask(graphqlRequest(url, INTROSPECTION));
  const schema = graphqlData(response?.json)[0]?.["__schema"];
  const path = new URL(url).pathname;
  return graphqlOperations(
    schema ?? (await schemaFromErrors((query) => ask(graphqlRequest(url, query)))),
    path,
  );
}

const MAX_NAMED = 30;

function noteOnLeftOut(leftOut: readonly string[]): string[] {
  const names = [...new Set(leftOut)];
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return [
    `Not called, because by name or description they delete, reset, stop or sign out: ${names.slice(0, MAX_NAMED).join(", ")}${more}.`,
  ];
}

/** What the document declares comes first; discovery adds what it does not know. */
function merged(
  declared: readonly OperationFacts[],
  discovered: readonly OperationFacts[],
): OperationFacts[] {
  const known = new Set(declared.map(identityOf));
  return [...declared, ...discovered.filter((facts) => !known.has(identityOf(facts)))];
}
