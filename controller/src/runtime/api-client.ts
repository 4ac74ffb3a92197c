import {
  JOBS,
  type KubeObject,
  type KubeTransport,
  NETWORK_POLICIES,
  type Objects,
  objects,
  podLogs,
  type PodLogs,
  type Resource,
  type Wire,
} from "@glovebox/kube";
import { CONTROLLER_NAME } from "@glovebox/k8s";
import type { V1Job, V1NetworkPolicy } from "@kubernetes/client-node";
import type { Fence } from "./fence.ts";
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

/** A field that the server does not know is an error: a seal of which a part was dropped is none. */
const CREATING = { fieldValidation: "Strict", fieldManager: CONTROLLER_NAME } as const;

/** With a fence, nothing is sent once it is lost, and what is under way is cut off. */
export function createKubeApi(unfenced: KubeTransport, fence?: Fence): KubeApi {
  const transport = fence ? behind(fence, unfenced) : unfenced;
  return {
    jobs: objects(transport, JOBS, CREATING),
    networkPolicies: objects(transport, NETWORK_POLICIES, CREATING),
    podLogs: podLogs(transport),
    latestWarning: (about) => latestWarning(transport, about),
    objectsOf: (resource) => objects(transport, resource, CREATING),
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
