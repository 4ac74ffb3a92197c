import type { V1Job, V1NetworkPolicy } from "@kubernetes/client-node";
import type { Fence } from "./fence.ts";
import { createTransport } from "./kube-transport.ts";
import { type Objects, objects } from "./objects.ts";
import { type PodLogs, podLogs } from "./pod-logs.ts";
import type { PooledKubeConfig } from "./pooled-kube-config.ts";
import { JOBS, type KubeObject, NETWORK_POLICIES, type Resource, type Wire } from "./resource.ts";

/** What the controller does with the Kubernetes API. Failures are KubeErrors; writes may throw FenceLostError. */
export interface KubeApi {
  readonly jobs: Objects<Wire<V1Job>, V1Job | Wire<V1Job>>;
  readonly networkPolicies: Objects<Wire<V1NetworkPolicy>, V1NetworkPolicy | Wire<V1NetworkPolicy>>;
  readonly podLogs: PodLogs;
  objectsOf<T extends KubeObject>(resource: Resource): Objects<T>;
}

/** With a fence, nothing is written once it is lost. */
export function createKubeApi(config: PooledKubeConfig, fence?: Fence): KubeApi {
  const transport = createTransport(config);
  return {
    jobs: objects(transport, JOBS, fence),
    networkPolicies: objects(transport, NETWORK_POLICIES, fence),
    podLogs: podLogs(transport),
    objectsOf: (resource) => objects(transport, resource, fence),
  };
}
