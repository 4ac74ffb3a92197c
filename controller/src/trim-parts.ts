import type { Wire } from "@glovebox/kube";
import type { V1Job, V1Pod } from "@kubernetes/client-node";

/** The order inside is large, and nobody reads it again. */
export function trimJob(job: Wire<V1Job>): Wire<V1Job> {
  const { spec: _, ...rest } = job;
  return rest;
}

/** Its spec and its annotations, the order among them: nobody reads them again, but for the service account. */
export function trimPod(pod: Wire<V1Pod>): Wire<V1Pod> {
  const { spec, ...rest } = pod;
  const { serviceAccountName } = spec ?? {};
  return {
    ...rest,
    ...(rest.metadata && { metadata: withoutAnnotations(rest.metadata) }),
    ...(serviceAccountName !== undefined && { spec: { containers: [], serviceAccountName } }),
  };
}

function withoutAnnotations<T extends { annotations?: unknown }>(metadata: T): T {
  const { annotations: _, ...rest } = metadata;
  return rest as T;
}
