import type { CustomObjectsApi } from "@kubernetes/client-node";
import type { Fence } from "./fence.ts";
import type { KubeTransport } from "./kube-transport.ts";
import {
  type CreateObjects,
  createObjects,
  type DeleteObjects,
  deleteObjects,
  FIELD_MANAGER,
  type ReadObjects,
  readObjects,
  write,
} from "./objects.ts";
import type { KubeObject, ObjectName, Resource } from "./resource.ts";

/** Objects of a custom resource. */
export interface CustomObjects<T extends KubeObject> extends ReadObjects<T>, CreateObjects<T>, DeleteObjects {
  /**
   * Merges into the object outside its status (RFC 7396): a list replaces the whole list, null removes a field. With a
   * `metadata.resourceVersion` in the patch, an object that was changed since is left alone (`isConflict`).
   */
  patch(object: ObjectName, patch: object): Promise<T>;
  /** Merges `status` into the status of the object in the same way, and touches nothing else. */
  patchStatus(object: ObjectName, status: object, resourceVersion?: string): Promise<T>;
  /**
   * Server-side apply of the status: the fields of ours that are not in it are removed, those of others stay. Fields
   * that others have set to something else are taken over.
   */
  applyStatus(object: ObjectName, status: object): Promise<T>;
}

/** A custom resource, with the kind of its objects. */
export interface CustomResource extends Resource {
  readonly kind: string;
}

export interface CustomObjectsDeps {
  readonly api: CustomObjectsApi;
  readonly transport: KubeTransport;
  readonly resource: CustomResource;
  readonly fence: Fence | undefined;
}

export function customObjects<T extends KubeObject>(deps: CustomObjectsDeps): CustomObjects<T> {
  const { api, transport, resource, fence } = deps;
  const kind = { resource, fence };
  return {
    ...readObjects<T>(transport, resource),
    ...createObjects<T>(transport, kind),
    ...deleteObjects(kind, (param, options) =>
      api.deleteNamespacedCustomObject({ ...resource, ...param }, options),
    ),
    ...patches<T>(deps),
  };
}

type Patches<T extends KubeObject> = Pick<CustomObjects<T>, "patch" | "patchStatus" | "applyStatus">;

function patches<T extends KubeObject>({ api, resource, fence }: CustomObjectsDeps): Patches<T> {
  const merge = { resource, fence, verb: "patch", patch: "application/merge-patch+json" } as const;
  const apply = { resource, fence, verb: "apply", patch: "application/apply-patch+yaml" } as const;
  return {
    patch: (object, body) =>
      write(merge, (options) => api.patchNamespacedCustomObject({ ...resource, ...object, body }, options)),
    patchStatus: (object, status, resourceVersion) => {
      const body = { status, ...(resourceVersion !== undefined && { metadata: { resourceVersion } }) };
      return write(merge, (options) =>
        api.patchNamespacedCustomObjectStatus({ ...resource, ...object, body }, options),
      );
    },
    applyStatus: (object, status) =>
      write(apply, (options) => {
        const { group, version, kind } = resource;
        const body = { apiVersion: `${group}/${version}`, kind, metadata: { ...object }, status };
        const param = { ...resource, ...object, body, fieldManager: FIELD_MANAGER, force: true };
        return api.patchNamespacedCustomObjectStatus(param, options);
      }),
  };
}
