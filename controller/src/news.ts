import type { V1Job, V1Pod } from "@kubernetes/client-node";
import { isDeepStrictEqual } from "node:util";
import type { Wire } from "@glovebox/kube";
import type { Change } from "./runtime/replica.ts";
import { jobView, podView } from "./scan/attempt-views.ts";

/**
 * Whether a change of a Job may change what is decided on its scan now: much of what Kubernetes writes down does not. That it
 * has had a pod needs no look, for the pod itself is seen.
 */
export const isNewsOfJob = (change: Change<Wire<V1Job>>): boolean =>
  hasChanged(change, (job) => ({ ...jobView(job), hadPod: undefined }));

/** The same of a pod. What its end means, the end of its Job says, which follows. */
export const isNewsOfPod = (change: Change<Wire<V1Pod>>): boolean =>
  hasChanged(change, podView) && !(change.type === "updated" && hasEnded(change.object));

const hasChanged = <T>(change: Change<T>, view: (object: T) => unknown): boolean =>
  change.type !== "updated" || !isDeepStrictEqual(view(change.previous), view(change.object));

const hasEnded = ({ status }: Wire<V1Pod>): boolean =>
  status?.phase === "Succeeded" || status?.phase === "Failed";
