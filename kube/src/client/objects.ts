import { type KubeRequest, type KubeTransport, requestJson } from "./client.ts";
import { isNotFound } from "./error.ts";
import { collectionPath, type KubeObject, objectPath, type ObjectName, type Resource } from "./resource.ts";

/** Objects of one kind, as they are on the wire. All methods throw KubeErrors. */
export interface Objects<T extends KubeObject, Body = T> {
  /** Undefined when it is not there. */
  get(object: ObjectName): Promise<T | undefined>;
  /** The object as the server has it. */
  create(namespace: string, body: Body): Promise<T>;
  /**
   * Deletes the object, and then what it owns. A missing object counts as deleted. With a uid, another object of the same name is
   * not deleted (KubeError, `isConflict`).
   */
  delete(object: ObjectName & { readonly uid?: string | undefined }): Promise<void>;
  /** Creates the object, or sets its fields to the body's, by server-side apply. Needs the options' field manager. */
  apply(object: ObjectName, body: Body): Promise<T>;
  /** Merges into the object (RFC 7396) and touches nothing else. */
  patch(object: ObjectName, body: object): Promise<T>;
  /**
   * Merges into the status of the object (RFC 7396) and touches nothing else: a list replaces the whole list, null
   * removes a field. With a resource version, an object that was changed since is left alone (`isConflict`).
   */
  patchStatus(object: ObjectName, status: object, resourceVersion?: string): Promise<T>;
}

/** Options of the API server for creations. */
export interface CreateOptions {
  /** Strict: a field that the server does not know is an error, instead of being dropped. */
  readonly fieldValidation?: "Strict";
  /** Who owns the fields that are set; by default the beginning of the user agent. */
  readonly fieldManager?: string;
}

const MERGE_PATCH = "application/merge-patch+json";

export function objects<T extends KubeObject, Body = T>(
  transport: KubeTransport,
  resource: Resource,
  creating: CreateOptions = {},
): Objects<T, Body> {
  const send = (request: KubeRequest): Promise<T> => requestJson<T>(transport, request);
  return {
    get: (object) => unlessNotFound(send({ path: objectPath(resource, object) })),
    create: (namespace, body) =>
      send({ method: "POST", path: collectionPath(resource, namespace), query: { ...creating }, body }),
    async delete({ uid, ...object }) {
      const body = {
        propagationPolicy: "Background",
        ...(uid !== undefined && { preconditions: { uid } }),
      };
      await unlessNotFound(send({ method: "DELETE", path: objectPath(resource, object), body }));
    },
    apply: (object, body) =>
      send({
        method: "PATCH",
        contentType: "application/apply-patch+yaml", // JSON is YAML
        path: objectPath(resource, object),
        query: { ...creating, force: true },
        body,
      }),
    patch: (object, body) =>
      send({ method: "PATCH", contentType: MERGE_PATCH, path: objectPath(resource, object), body }),
    patchStatus: (object, status, resourceVersion) =>
      send({
        method: "PATCH",
        contentType: MERGE_PATCH,
        path: `${objectPath(resource, object)}/status`,
        body: { status, ...(resourceVersion !== undefined && { metadata: { resourceVersion } }) },
      }),
  };
}

async function unlessNotFound<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
