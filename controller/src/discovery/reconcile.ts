import type { ScheduleResource } from "@glovebox/k8s";
import {
  type Clock,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Objects,
  type Resource,
  type EventRecorder,
  type Requeue,
} from "@glovebox/kube";
import type { NamespaceReader } from "../kubernetes/namespace.ts";
import { decideDiscovery, type DiscoveryAction, type DiscoveryWorld, isAnnotated } from "./decide.ts";
import type { DiscoveredKind, DiscoveredObject } from "./hosts.ts";

export interface DiscoveryDeps {
  readonly namespaceFacts: NamespaceReader;
  readonly refusal: DiscoveryWorld["refusal"];
  /** The schedules that an object controls, by its uid; undefined while the objects of its namespace are not known. */
  readonly schedulesOf: (namespace: string, uid: string) => readonly ScheduleResource[] | undefined;
  readonly api: Pick<Objects<ScheduleResource, object>, "create" | "patch" | "delete">;
  readonly events: Pick<EventRecorder, "record">;
  /** The API server's. */
  readonly clock: Pick<Clock, "now">;
}

/** Labels and annotations of a namespace, and schedules that somebody deleted, are looked at again after this time. */
export const AGAIN_MS = 60_000;
/** Until the caches know the schedules. */
const CACHES_MS = 1000;

/** Makes the schedules of an object what they should be, and says in events on the object what was made and why not. */
export const discoveryReconciler =
  (deps: DiscoveryDeps) =>
  async ({
    kind,
    resource,
    object,
  }: {
    readonly kind: DiscoveredKind;
    readonly resource: Resource;
    readonly object: DiscoveredObject;
  }): Promise<Requeue | undefined> => {
    const { namespace = "", name = "", uid = "" } = object.metadata ?? {};
    const schedules = deps.schedulesOf(namespace, uid);
    if (!schedules) return { afterMs: CACHES_MS };
    if (!isAnnotated(object) && schedules.length === 0) return undefined;
    const apiVersion = apiVersionOf(resource);
    const { actions, notes } = decideDiscovery({
      ...{ kind, apiVersion, object, schedules },
      namespace: await deps.namespaceFacts(namespace),
      refusal: deps.refusal,
      now: deps.clock.now(),
    });
    const regarding = { apiVersion, kind, namespace, name, uid };
    const record = (type: "Normal" | "Warning", reason: string, note: string): void =>
      deps.events.record({ regarding, type, reason, note, action: "Discover" });
    for (const action of actions) {
      const isDone = await perform(action, namespace, deps);
      if (isDone && action.do === "create") record("Normal", "ScheduleCreated", noteOf(action));
    }
    for (const { reason, note } of notes) record("Warning", reason, note);
    return { afterMs: AGAIN_MS };
  };

const apiVersionOf = ({ group, version }: Resource): string =>
  group === "" ? version : `${group}/${version}`;

const noteOf = ({ schedule: { metadata, spec } }: Extract<DiscoveryAction, { do: "create" }>): string =>
  `Created the ScanSchedule ${metadata.name} for ${spec.scanTemplate.spec.url}.`;

/** False if somebody created, replaced or deleted it meanwhile: the next look decides. */
async function perform(action: DiscoveryAction, namespace: string, { api }: DiscoveryDeps): Promise<boolean> {
  try {
    if (action.do === "create") await api.create(namespace, action.schedule);
    else if (action.do === "delete") await api.delete({ namespace, name: action.name, uid: action.uid });
    else await api.patch({ namespace, name: action.name }, { spec: action.spec });
    return true;
  } catch (error) {
    if (isAlreadyExists(error) || isConflict(error) || isNotFound(error)) return false;
    throw error;
  }
}
