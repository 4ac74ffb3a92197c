import type { IncomingHttpHeaders } from "node:http";
import { type FakeCollection, type FakeHistory, type FakeObject, Refusal } from "./fake-collection.ts";

interface FakePage {
  readonly apiVersion: unknown;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  /** Without their type, as the real server lists them. */
  readonly items: readonly Partial<FakeObject>[] | null;
}

export interface FakeListRequest {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** One page of a list. The continue token holds the version of the snapshot, which compaction makes too old. */
export function listPage(
  history: FakeHistory,
  collection: FakeCollection,
  { query, headers }: FakeListRequest,
): FakePage {
  const [version, start] = (query.get("continue") ?? `${history.version}:0`).split(":").map(Number);
  if (version! < history.oldest) throw new Refusal(410, "Expired");
  const from = start!;
  const limit = Number(query.get("limit") ?? Number.POSITIVE_INFINITY);
  const objects = [...collection.objects.values()].filter((object) => matchesSelector(query, object));
  const rest = from + limit < objects.length;
  const metadata = {
    resourceVersion: String(version),
    ...(rest && { continue: `${version}:${from + limit}` }),
  };
  const page = objects.slice(from, from + limit);
  if (headers.accept?.includes("as=PartialObjectMetadataList")) {
    const items = page.map((object) => ({ metadata: object.metadata }));
    const type = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadataList" };
    return { ...type, metadata, items: items.length > 0 ? items : null };
  }
  const { apiVersion = "v1", kind = "Object" }: Partial<FakeObject> = objects[0] ?? {};
  return {
    apiVersion,
    kind: `${String(kind)}List`,
    metadata,
    items: page.map(({ apiVersion: _, kind: __, ...untyped }) => untyped),
  };
}

/** True when the object has the labels that the query asks for by equality. */
export function matchesSelector(query: URLSearchParams, { metadata }: FakeObject): boolean {
  const terms = (query.get("labelSelector") ?? "").split(",").filter(Boolean);
  return terms.every((term) => {
    const [label, value] = term.split("=");
    return metadata.labels?.[label!] === value;
  });
}
