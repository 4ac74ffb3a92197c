import { ANNOTATIONS } from "@glovebox/k8s";
import * as z from "zod";
import { type CanaryReference, canaryReferenceSchema } from "../canary/protocol.ts";
import type { Job } from "./api-client.ts";

/** What decisions read of the Job of an attempt. */
export interface JobView {
  readonly uid: string;
  /** Version of the policy that it was started with. */
  readonly policy?: string | undefined;
  readonly createdAt: Date;
  /** The canary of the attempt. */
  readonly canary?: CanaryReference | undefined;
  /** True once Kubernetes has counted a pod of it. */
  readonly hadPod?: true;
  /** Somebody has set spec.suspend. */
  readonly isSuspended?: true;
  /** The scanner has ended, and a container that is not Glovebox's keeps the pod, and so the Job, running. */
  readonly isPodRunning?: true;
  /** When it ended, by the clock of the cluster. */
  readonly endedAt?: Date | undefined;
  /** From the Job's conditions, or the exit of the scanner where its pod has more containers; undefined until then. */
  readonly ended?:
    | { readonly how: "complete" }
    | { readonly how: "failed"; readonly reason: string; readonly message: string }
    | undefined;
}

/** Computes the view of an object once: objects of the cache are never changed, and each is read at many events. */
export function cachedView<T extends object, View>(viewOf: (object: T) => View): (object: T) => View {
  const views = new WeakMap<T, View>();
  return (object) => {
    const known = views.get(object);
    if (known !== undefined) return known;
    const view = viewOf(object);
    views.set(object, view);
    return view;
  };
}

export const jobView = cachedView(viewOfJob);

function viewOfJob({ metadata = {}, status = {} }: Job): JobView {
  const { active = 0, succeeded = 0, failed = 0, terminating = 0 } = status;
  const hadPod = active + succeeded + failed + terminating > 0;
  return {
    uid: metadata.uid ?? "",
    policy: metadata.annotations?.[ANNOTATIONS.policy],
    canary: parsed(canaryReferenceSchema, metadata.annotations?.[ANNOTATIONS.canary]),
    createdAt: dateOf(metadata.creationTimestamp),
    ...(hadPod && { hadPod }),
    ...(isMet(status.conditions, "Suspended") && { isSuspended: true }),
    ...endOf(status.conditions),
  };
}

/** The parsed value of an annotation; undefined if it is missing or invalid. */
export function parsed<T>(schema: z.ZodType<T>, json: string | undefined): T | undefined {
  try {
    return json === undefined ? undefined : schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

type JobConditions = NonNullable<Job["status"]>["conditions"];

const isMet = (conditions: JobConditions, wanted: string) =>
  conditions?.find(({ type, status }) => type === wanted && status === "True");

function endOf(conditions: JobConditions): Partial<JobView> {
  const end = isMet(conditions, "Complete") ?? isMet(conditions, "Failed");
  if (!end) return {};
  const { type, lastTransitionTime, reason = "", message = "" } = end;
  return {
    ended: type === "Complete" ? { how: "complete" } : { how: "failed", reason, message },
    ...(lastTransitionTime !== undefined && { endedAt: dateOf(lastTransitionTime) }),
  };
}

export const dateOf = (text: string | undefined): Date => new Date(text ?? 0);
