import { type Pin, pinSchema } from "@glovebox/contract";
import { ANNOTATIONS, LABELS } from "@glovebox/k8s";
import type { KubeObject } from "@glovebox/kube";
import * as z from "zod";
import type { Job, NetworkPolicy, Pod } from "../kubernetes/api-client.ts";
import { cachedView, type JobView, jobView, parsed } from "../kubernetes/job-view.ts";
import type { PodView } from "../kubernetes/pod-view.ts";
import { hasSpecFor } from "./manifests.ts";
import type { AttemptView, PolicyView } from "./world.ts";

export interface ObjectsOfScan {
  readonly policies: readonly NetworkPolicy[];
  readonly jobs: readonly Job[];
  readonly pods: readonly Pod[];
}

/** The attempts that have a policy, a Job or a pod, in ascending order. */
export function attemptViews(
  { policies, jobs, pods }: ObjectsOfScan,
  viewOfPod: (pod: Pod) => PodView,
): AttemptView[] {
  const numbers = [...policies, ...jobs, ...pods].map(numberOf).filter((number) => number > 0);
  return [...new Set(numbers)]
    .toSorted((a, b) => a - b)
    .map((number) => {
      const isOf = (object: KubeObject): boolean => numberOf(object) === number;
      const [policy, job] = [policies.find(isOf), jobs.find(isOf)];
      const views = pods.filter(isOf).map(viewOfPod);
      return {
        number,
        ...(policy && { policy: policyView(policy) }),
        ...(job && { job: withScannersEnd(jobView(job), views) }),
        pods: views,
      };
    });
}

/** 0 for an object without an attempt label. */
const numberOf = ({ metadata }: KubeObject): number =>
  Number(/^[1-9]\d{0,2}$/.exec(metadata?.labels?.[LABELS.attempt] ?? "")?.[0] ?? 0);

const policyView = cachedView(viewOfPolicy);

function viewOfPolicy(policy: NetworkPolicy): PolicyView {
  const { labels = {}, uid = "", generation = 0 } = policy.metadata ?? {};
  const pins = pinsOf(policy);
  const made = { scanId: labels[LABELS.scan] ?? "", attempt: numberOf(policy), pins };
  return { pins, version: `${uid}/${generation}`, isAsMade: hasSpecFor(made, policy) };
}

const pinsSchema = z.array(pinSchema);

/** Empty if the annotation is invalid: then the policy does not match its spec either. */
const pinsOf = ({ metadata }: NetworkPolicy): Pin[] =>
  parsed(pinsSchema, metadata?.annotations?.[ANNOTATIONS.pins]) ?? [];

/**
 * The exit of the scanner decides, not the exit of the pod: a container that an admission webhook added may run on, so that Kubernetes does not
 * end the Job, or fail, so that it fails the Job.
 */
function withScannersEnd(job: JobView, pods: readonly PodView[]): JobView {
  const { exit } = pods.find((pod) => pod.exit && (pod.injectedContainers ?? []).length > 0) ?? {};
  if (!exit || (job.ended && exit.code !== 0)) return job;
  return {
    ...job,
    ended:
      exit.code === 0
        ? { how: "complete" }
        : { how: "failed", reason: "BackoffLimitExceeded", message: "The scanner failed." },
    endedAt: exit.at,
    ...(!job.ended && { isPodRunning: true }),
  };
}
