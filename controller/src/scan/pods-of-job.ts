import type { KubeObject, Wire } from "@glovebox/kube";
import type { V1Pod } from "@kubernetes/client-node";
import type { Lister } from "../runtime/object-store.ts";

/** Name of the index of pods by the UID of the Job that controls them. */
export const BY_JOB = "job";

export const byJob = ({ metadata }: KubeObject): string[] =>
  (metadata?.ownerReferences ?? [])
    .filter(({ kind, controller }) => kind === "Job" && controller)
    .map(({ uid }) => uid);

/** The pods of this very Job. Anybody's pod may carry our labels, or name a Job that is none of ours. */
export const podsOfJob = (pods: Pick<Lister<Wire<V1Pod>>, "find">, jobUid: string): readonly Wire<V1Pod>[] =>
  pods.find(BY_JOB, jobUid);
