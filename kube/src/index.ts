export { ApiServerAddresses, API_SERVER_ENDPOINTS_RIGHT } from "./client/api-server-addresses.ts";
export { createKubeClient, requestJson } from "./client/client.ts";
export type { KubeBody, KubeClient, KubeClientOptions, KubeRequest, KubeTransport } from "./client/client.ts";
export { sleep, systemClock } from "./timing/clock.ts";
export type { Clock } from "./timing/clock.ts";
export { KubeConnectionError } from "./client/connection.ts";
export type { KubeConnection, KubeCredentials } from "./client/connection.ts";
export * from "./client/error.ts";
export { kubeConnection, kubeconfigConnection } from "./client/kubeconfig.ts";
export { listPages } from "./client/list.ts";
export type { ListResult, ListRequest, Selection } from "./client/list.ts";
export { objects } from "./client/objects.ts";
export type { Objects } from "./client/objects.ts";
export { podLogs } from "./client/pod-logs.ts";
export type { LogRequest, PodLogs } from "./client/pod-logs.ts";
export * from "./client/resource.ts";
export { ServerClock } from "./client/server-clock.ts";
export { followWatch, JsonLinesError } from "./client/watch.ts";
export type { FollowedWatch, WatchEnd, WatchEvent } from "./client/watch.ts";
export { type EventNote, EventRecorder, eventSink } from "./events/events.ts";
export { type Subject, type Warning, latestWarning, warningReader } from "./events/warnings.ts";
export { NamespacedCache, type NamespacedCacheOptions } from "./informer/namespaced-cache.ts";
export {
  type Change,
  type Lister,
  type ObjectStore,
  byLabel,
  createObjectStore,
} from "./informer/object-store.ts";
export { Reflector, type ReflectorOptions, withoutManagedFields } from "./informer/reflector.ts";
export { type Requeue, WorkQueue, type WorkQueueObserver } from "./informer/work-queue.ts";
export { type Fence, FenceLostError, LeaderElection } from "./leader/leader-election.ts";
export { leaseClient } from "./leader/lease.ts";
export { type ConcurrencyLimit, type Rate, atMost, createTokenBucket } from "./timing/throttling.ts";
