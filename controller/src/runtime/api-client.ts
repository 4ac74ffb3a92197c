import type { V1Job, V1NetworkPolicy } from "@kubernetes/client-node";
import type { Fence } from "./fence.ts";
import { createTransport, type KubeTransport } from "./kube-transport.ts";
import { type Objects, objects } from "./objects.ts";
import { type PodLogs, podLogs } from "./pod-logs.ts";
import type { PooledKubeConfig } from "./pooled-kube-config.ts";
import { JOBS, type KubeObject, NETWORK_POLICIES, type Resource, type Wire } from "./resource.ts";
import { latestWarning, type Subject } from "./warnings.ts";

/** What the controller does with the Kubernetes API. Failures are KubeErrors, or FenceLostErrors behind a fence. */
export interface KubeApi {
  readonly jobs: Objects<Wire<V1Job>, V1Job | Wire<V1Job>>;
  readonly networkPolicies: Objects<Wire<V1NetworkPolicy>, V1NetworkPolicy | Wire<V1NetworkPolicy>>;
  readonly podLogs: PodLogs;
  /** What the newest event of the type Warning says of the object. */
  latestWarning(about: Subject): Promise<string | undefined>;
  objectsOf<T extends KubeObject>(resource: Resource): Objects<T>;
}

/** With a fence, nothing is sent once it is lost, and what is under way is cut off. */
export function createKubeApi(config: PooledKubeConfig, fence?: Fence): KubeApi {
  const transport = fence ? behind(fence, createTransport(config)) : createTransport(config);
  return {
    jobs: objects(transport, JOBS),
    networkPolicies: objects(transport, NETWORK_POLICIES),
    podLogs: podLogs(transport),
    latestWarning: (about) => latestWarning(transport, about),
    objectsOf: (resource) => objects(transport, resource),
  };
}

const behind =
  (fence: Fence, transport: KubeTransport): KubeTransport =>
  async (request) => {
    fence.assertHeld();
    const { signal } = request;
    const both = signal ? AbortSignal.any([signal, fence.signal]) : fence.signal;
    try {
      return await transport({ ...request, signal: both });
    } catch (error) {
      fence.assertHeld();
      throw error;
    }
  };
