import {
  BatchV1Api,
  CoreV1Api,
  CustomObjectsApi,
  NetworkingV1Api,
  type V1Job,
  type V1NetworkPolicy,
  type V1Pod,
} from "@kubernetes/client-node";
import { type CustomObjects, customObjects, type CustomResource } from "./custom-objects.ts";
import type { Fence } from "./fence.ts";
import { createTransport, type KubeTransport } from "./kube-transport.ts";
import {
  type CreateObjects,
  createObjects,
  type DeleteObjects,
  deleteObjects,
  type ReadObjects,
  readObjects,
} from "./objects.ts";
import { type PodLogs, podLogs } from "./pod-logs.ts";
import type { PooledKubeConfig } from "./pooled-kube-config.ts";
import { JOBS, type KubeObject, NETWORK_POLICIES, PODS, type Wire } from "./resource.ts";

/** What the controller does with the Kubernetes API. Failures are KubeErrors; writes may throw FenceLostError. */
export interface KubeApi {
  /** For reflectors. */
  readonly transport: KubeTransport;
  readonly jobs: ReadObjects<Wire<V1Job>> & CreateObjects<V1Job | Wire<V1Job>> & DeleteObjects;
  readonly networkPolicies: ReadObjects<Wire<V1NetworkPolicy>> &
    CreateObjects<V1NetworkPolicy | Wire<V1NetworkPolicy>> &
    DeleteObjects;
  readonly pods: ReadObjects<Wire<V1Pod>> & DeleteObjects;
  readonly podLogs: PodLogs;
  customObjects<T extends KubeObject>(resource: CustomResource): CustomObjects<T>;
}

/** With a fence, nothing is written once it is lost. */
export function createKubeApi(config: PooledKubeConfig, fence?: Fence): KubeApi {
  const transport = createTransport(config);
  const custom = config.makeApiClient(CustomObjectsApi);
  return {
    transport,
    jobs: jobs(config, transport, fence),
    networkPolicies: networkPolicies(config, transport, fence),
    pods: pods(config, transport, fence),
    podLogs: podLogs(transport),
    customObjects: (resource) => customObjects({ api: custom, transport, resource, fence }),
  };
}

function jobs(config: PooledKubeConfig, transport: KubeTransport, fence?: Fence): KubeApi["jobs"] {
  const api = config.makeApiClient(BatchV1Api);
  const deps = { resource: JOBS, fence };
  return {
    ...readObjects(transport, JOBS),
    ...createObjects<V1Job | Wire<V1Job>>(transport, deps),
    ...deleteObjects(deps, (param, options) => api.deleteNamespacedJob(param, options)),
  };
}

function networkPolicies(
  config: PooledKubeConfig,
  transport: KubeTransport,
  fence?: Fence,
): KubeApi["networkPolicies"] {
  const api = config.makeApiClient(NetworkingV1Api);
  const deps = { resource: NETWORK_POLICIES, fence };
  return {
    ...readObjects(transport, NETWORK_POLICIES),
    ...createObjects<V1NetworkPolicy | Wire<V1NetworkPolicy>>(transport, deps),
    ...deleteObjects(deps, (param, options) => api.deleteNamespacedNetworkPolicy(param, options)),
  };
}

function pods(config: PooledKubeConfig, transport: KubeTransport, fence?: Fence): KubeApi["pods"] {
  const api = config.makeApiClient(CoreV1Api);
  return {
    ...readObjects(transport, PODS),
    ...deleteObjects({ resource: PODS, fence }, (param, options) => api.deleteNamespacedPod(param, options)),
  };
}
