import { type CallOptions, type PatchType, writeOptions } from "./call-options.ts";
import type { Fence } from "./fence.ts";
import { isNotFound, toKubeError } from "./kube-error.ts";
import { type KubeTransport, readJson } from "./kube-transport.ts";
import { type Listed, listPages } from "./list-pages.ts";
import {
  collectionPath,
  type KubeMetadata,
  type KubeObject,
  objectPath,
  type ObjectName,
  type Resource,
} from "./resource.ts";

/** Reads objects of one kind, as they are on the wire. All methods of this file throw KubeErrors. */
export interface ReadObjects<T> {
  /** Undefined when it is not there. */
  get(object: ObjectName): Promise<T | undefined>;
  list(selection: { readonly namespace: string; readonly labelSelector?: string }): Promise<Listed<T>>;
}

/** Creates objects of one kind. A field that the server does not know is an error: it is never dropped. */
export interface CreateObjects<Body> {
  create(namespace: string, body: Body): Promise<KubeMetadata>;
}

/** Deletes objects of one kind, and what they own after them. A missing object counts as deleted. */
export interface DeleteObjects {
  /** With a uid, that object only and no other one of its name is deleted (else a KubeError, `isConflict`). */
  delete(object: ObjectName & { readonly uid?: string | undefined }): Promise<void>;
}

/** Who the fields that the controller sets belong to. */
export const FIELD_MANAGER = "glovebox-controller";

/** How objects of one kind are written: not at all after the fence is lost (FenceLostError). */
export interface WriteDeps {
  readonly resource: Resource;
  readonly fence?: Fence | undefined;
}

export const readObjects = <T extends KubeObject>(
  transport: KubeTransport,
  resource: Resource,
): ReadObjects<T> => ({
  async get(object) {
    try {
      const body = await transport({ path: objectPath(resource, object) });
      return await readJson<T>(`get ${resource.plural}`, body);
    } catch (error) {
      const failure = toKubeError(`get ${resource.plural}`, error);
      if (isNotFound(failure)) return undefined;
      throw failure;
    }
  },
  list: (selection) =>
    listPages<T>(transport, { ...selection, resource, pageSize: 500, trim: (object) => object }),
});

/**
 * Sends the object as it is: the generated APIs would leave out, without a word, each field that their model of the kind
 * does not have, so that a misspelt security setting would be missing from a pod that runs.
 */
export const createObjects = <Body>(transport: KubeTransport, deps: WriteDeps): CreateObjects<Body> => ({
  create: (namespace, body) =>
    write({ ...deps, verb: "create" }, async () => {
      const answer = await transport({
        method: "POST",
        path: collectionPath(deps.resource, namespace),
        query: { fieldValidation: "Strict", fieldManager: FIELD_MANAGER },
        body,
        ...(deps.fence && { signal: deps.fence.signal }),
      });
      const { metadata = {} } = await readJson<KubeObject>(`create ${deps.resource.plural}`, answer);
      return metadata;
    }),
});

/** A call of the generated APIs that deletes. */
export type DeleteCall = (
  param: ObjectName & { body: { propagationPolicy: string; preconditions?: { uid: string } } },
  options: CallOptions,
) => Promise<unknown>;

export const deleteObjects = (deps: WriteDeps, call: DeleteCall): DeleteObjects => ({
  async delete({ namespace, name, uid }) {
    const body = { propagationPolicy: "Background", ...(uid !== undefined && { preconditions: { uid } }) };
    try {
      await write({ ...deps, verb: "delete" }, (options) => call({ namespace, name, body }, options));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  },
});

export interface Write extends WriteDeps {
  readonly verb: string;
  readonly patch?: PatchType;
}

/**
 * Makes one write.
 * @throws KubeError, or FenceLostError before it is sent and when it was cut off
 */
export async function write<Result>(
  { resource, fence, verb, patch }: Write,
  call: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  fence?.assertHeld();
  try {
    return await call(writeOptions(fence, patch));
  } catch (error) {
    fence?.assertHeld();
    throw toKubeError(`${verb} ${resource.plural}`, error);
  }
}
