import { type FakeCollection, type FakeHistory, type FakeObject, Refusal } from "./fake-collection.ts";

interface FakePage {
  readonly apiVersion: unknown;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  /** Without their type, as the real server lists them. */
  readonly items: readonly Partial<FakeObject>[];
}

/** One page of a list. The continue token holds the version of the snapshot, which compaction makes too old. */
export function listPage(history: FakeHistory, collection: FakeCollection, query: URLSearchParams): FakePage {
  const [version, start] = (query.get("continue") ?? `${history.version}:0`).split(":").map(Number);
  if (version! < history.oldest) throw new Refusal(410, "Expired");
  const from = start!;
  const limit = Number(query.get("limit") ?? Number.POSITIVE_INFINITY);
  const objects = [...collection.objects.values()].filter((object) => selects(query, object));
  const rest = from + limit < objects.length;
  const { apiVersion = "v1", kind = "Object" }: Partial<FakeObject> = objects[0] ?? {};
  return {
    apiVersion,
    kind: `${String(kind)}List`,
    metadata: { resourceVersion: String(version), ...(rest && { continue: `${version}:${from + limit}` }) },
    items: objects.slice(from, from + limit).map(({ apiVersion: _, kind: __, ...untyped }) => untyped),
  };
}

/** True when the object has the labels that the query asks for by equality. */
export function selects(query: URLSearchParams, { metadata }: FakeObject): boolean {
  const terms = (query.get("labelSelector") ?? "").split(",").filter(Boolean);
  return terms.every((term) => {
    const [label, value] = term.split("=");
    return metadata.labels?.[label!] === value;
  });
}
