import { type KubeTransport, requestJson } from "./client.ts";
import { isGone } from "./error.ts";
import { collectionPath, type KubeObject, type Resource } from "./resource.ts";

/** Which objects: of one namespace or of all, with the labels and fields that the selectors ask for. */
export interface Selection {
  readonly resource: Resource;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface ListRequest<T> extends Selection {
  readonly pageSize: number;
  /** Applied to each object as its page arrives, so that whole objects are held for one page only. */
  readonly trim?: (object: T) => T;
  /** True: the server leaves out all but the metadata. */
  readonly metadataOnly?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface ListResult<T> {
  readonly objects: readonly T[];
  /** Where a watch goes on from. */
  readonly resourceVersion: string;
}

/**
 * Lists objects page by page. If the snapshot of the pages expires (410), everything is listed again in one page. Each object has `apiVersion` and `kind`, which the server leaves out in lists.
 * @throws KubeError
 */
export async function listPages<T extends KubeObject>(
  transport: KubeTransport,
  request: ListRequest<T>,
): Promise<ListResult<T>> {
  try {
    return await followPages(transport, request, request.pageSize);
  } catch (error) {
    if (!isGone(error)) throw error;
    return await followPages(transport, request, undefined);
  }
}

const METADATA_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

interface Page<T> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  /** Null where there is none. */
  readonly items?: readonly T[] | null;
}

async function followPages<T extends KubeObject>(
  transport: KubeTransport,
  request: ListRequest<T>,
  limit: number | undefined,
): Promise<ListResult<T>> {
  const { resource, namespace, labelSelector, fieldSelector, metadataOnly, signal } = request;
  const { trim = (object) => object } = request;
  const objects: T[] = [];
  let next: string | undefined;
  for (;;) {
    const page = await requestJson<Page<T>>(transport, {
      path: collectionPath(resource, namespace),
      query: { labelSelector, fieldSelector, limit, continue: next },
      ...(metadataOnly && { accept: METADATA_ONLY }),
      signal,
    });
    for (const item of page.items ?? []) objects.push(trim({ ...typeOfItems(page), ...item }));
    next = page.metadata?.continue || undefined;
    if (next === undefined) return { objects, resourceVersion: page.metadata?.resourceVersion ?? "" };
  }
}

const typeOfItems = ({ apiVersion, kind }: Page<unknown>): KubeObject => ({
  ...(apiVersion !== undefined && { apiVersion }),
  ...(kind?.endsWith("List") && { kind: kind.slice(0, -"List".length) }),
});
