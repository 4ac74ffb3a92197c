import { isNotFound, toKubeError } from "./kube-error.ts";
import { type KubeTransport, readJson } from "./kube-transport.ts";
import { collectionPath, type KubeObject, objectPath, type ObjectName, type Resource } from "./resource.ts";

/** Objects of one kind, as they are on the wire. All methods throw KubeErrors. */
export interface Objects<T extends KubeObject, Body = T> {
  /** Undefined when it is not there. */
  get(object: ObjectName): Promise<T | undefined>;
  /** A field that the server does not know is an error: it is never dropped. */
  create(namespace: string, body: Body): Promise<void>;
  /**
   * With what it owns after it. A missing object counts as deleted. With a uid, that object only and no other one of its
   * name is deleted (else a KubeError, `isConflict`).
   */
  delete(object: ObjectName & { readonly uid?: string | undefined }): Promise<void>;
  /**
   * Merges into the status of the object (RFC 7396) and touches nothing else: a list replaces the whole list, null
   * removes a field. With a resource version, an object that was changed since is left alone (`isConflict`).
   */
  patchStatus(object: ObjectName, status: object, resourceVersion?: string): Promise<T>;
}

/** Who the fields that the controller sets belong to. */
const FIELD_MANAGER = "glovebox-controller";

export function objects<T extends KubeObject, Body = T>(
  transport: KubeTransport,
  resource: Resource,
): Objects<T, Body> {
  const { plural } = resource;
  return {
    get: (object) =>
      unlessNotFound(async () =>
        readJson<T>(`get ${plural}`, await transport({ path: objectPath(resource, object) })),
      ),
    async create(namespace, body) {
      const path = collectionPath(resource, namespace);
      const query = { fieldValidation: "Strict", fieldManager: FIELD_MANAGER };
      await spent(`create ${plural}`, await transport({ method: "POST", path, query, body }));
    },
    delete: ({ uid, ...object }) =>
      unlessNotFound(async () => {
        const path = objectPath(resource, object);
        const body = {
          propagationPolicy: "Background",
          ...(uid !== undefined && { preconditions: { uid } }),
        };
        await spent(`delete ${plural}`, await transport({ method: "DELETE", path, body }));
      }),
    async patchStatus(object, status, resourceVersion) {
      const path = `${objectPath(resource, object)}/status`;
      const body = { status, ...(resourceVersion !== undefined && { metadata: { resourceVersion } }) };
      const merge = { method: "PATCH", contentType: "application/merge-patch+json" } as const;
      return readJson<T>(`patch ${plural}`, await transport({ ...merge, path, body }));
    },
  };
}

async function unlessNotFound<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** An answer that nobody needs is read to its end, so that its connection can be used again. */
async function spent(call: string, body: Awaited<ReturnType<KubeTransport>>): Promise<void> {
  try {
    await body.dump();
  } catch (error) {
    throw toKubeError(call, error);
  }
}
