import { CONTROLLER_NAME } from "@glovebox/k8s";
import {
  JOBS,
  type Wire,
  type KubeObject,
  type KubeTransport,
  NETWORK_POLICIES,
  type Objects,
  objects,
  podLogs,
  type PodLogs,
  type Resource,
  type Fence,
  latestWarning,
  SECRETS,
  type Subject,
  type Warning,
} from "@glovebox/kube";
import type { V1Job, V1NetworkPolicy, V1Pod } from "@kubernetes/client-node";

/** Objects as they are on the wire. */
export type Job = Wire<V1Job>;
export type Pod = Wire<V1Pod>;
export type NetworkPolicy = Wire<V1NetworkPolicy>;

/** The Kubernetes API of the controller. Failures are KubeErrors, or FenceLostErrors with a fence. */
export interface KubeApi {
  readonly jobs: Objects<Job, V1Job | Job>;
  readonly networkPolicies: Objects<NetworkPolicy, V1NetworkPolicy | NetworkPolicy>;
  readonly podLogs: PodLogs;
  /** Never read: they hold the identities of scans. */
  readonly secrets: Pick<Objects<KubeObject>, "delete">;
  /** The newest Warning event about the object. */
  latestWarning(about: Subject): Promise<Warning | undefined>;
  objectsOf<T extends KubeObject, Body = T>(resource: Resource): Objects<T, Body>;
}

/** Strict: a field that the server does not know is an error, because a policy without it may be weaker. */
const CREATING = { fieldValidation: "Strict", fieldManager: CONTROLLER_NAME } as const;

/** With a fence, requests are refused once it is lost, and current ones are aborted. */
export function createKubeApi(unfenced: KubeTransport, fence?: Fence): KubeApi {
  const transport = fence ? behind(fence, unfenced) : unfenced;
  return {
    jobs: objects(transport, JOBS, CREATING),
    networkPolicies: objects(transport, NETWORK_POLICIES, CREATING),
    secrets: objects(transport, SECRETS),
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
