import { createHash } from "node:crypto";
import { timingError, MIN_INTERVAL_MINUTES } from "@glovebox/domain/schedule";
import {
  ANNOTATIONS,
  API_VERSION,
  CONTROLLER_NAME,
  DISCOVERY_LABEL,
  LABELS,
  SCHEDULE_KIND,
  type ScheduleManifest,
  type ScheduleResource,
  type ScheduleSpec,
} from "@glovebox/k8s";
import { mayBeTarget, type NamespaceFacts } from "../kubernetes/namespace.ts";
import { addressesOf, type DiscoveredKind, type DiscoveredObject } from "./hosts.ts";

/** All that a decision on one object may depend on. */
export interface DiscoveryWorld {
  readonly now: Date;
  readonly kind: DiscoveredKind;
  readonly apiVersion: string;
  readonly object: DiscoveredObject;
  readonly namespace: Pick<NamespaceFacts, "labels" | "account" | "targets">;
  /** The schedules that the object controls. */
  readonly schedules: readonly ScheduleResource[];
  /** Why the settings of the controller forbid the address, as far as that is known without resolving it. */
  readonly refusal: (url: URL) => string | undefined;
}

export type DiscoveryAction =
  | { readonly do: "create"; readonly schedule: ScheduleManifest }
  /** Merges these fields, and leaves others as somebody may have set them. */
  | { readonly do: "patch"; readonly name: string; readonly spec: Partial<ScheduleSpec> }
  | { readonly do: "delete"; readonly name: string; readonly uid: string };

/** A warning on the object. */
export interface DiscoveryNote {
  readonly reason: "InvalidSchedule" | "NoHost" | "TooManyHosts" | "TargetNotAllowed" | "AccountMissing";
  readonly note: string;
}

export interface DiscoveryPlan {
  readonly actions: readonly DiscoveryAction[];
  readonly notes: readonly DiscoveryNote[];
}

/** Whether the object asks for scans. */
export const isAnnotated = (object: DiscoveredObject): boolean => annotationOf(object) !== undefined;

/** When the object asks to be scanned, by the annotation that says so. */
function annotationOf({
  metadata,
}: DiscoveredObject): { readonly name: string; readonly value: string } | undefined {
  for (const name of [ANNOTATIONS.scanSchedule, ANNOTATIONS.formerScanSchedule]) {
    const value = metadata?.annotations?.[name];
    if (value !== undefined) return { name, value: value.trim() };
  }
  return undefined;
}

/** Of one object; more is said in an event. */
const MAX_HOSTS = 10;

/** Longer values are cut, as the spec of a schedule allows no more. */
const MAX_REVISION = 200;

type Timing = Required<Pick<ScheduleSpec, "schedule" | "jitterSeconds">>;

/** The jitter spreads the many objects of a cluster. */
const NAMED: Readonly<Record<string, Timing>> = {
  hourly: { schedule: "0 * * * *", jitterSeconds: 3000 },
  daily: { schedule: "0 2 * * *", jitterSeconds: 3600 },
  weekly: { schedule: "0 2 * * 0", jitterSeconds: 3600 },
};

/** The schedules that the object should have, and what to write for that. Pure. */
export function decideDiscovery(world: DiscoveryWorld): DiscoveryPlan {
  const { wanted, notes } = wantedSchedules(world);
  const held = new Map(world.schedules.map((schedule) => [schedule.metadata.name, schedule]));
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  const missing = wanted.filter(({ metadata }) => !held.has(metadata.name));
  return {
    actions: [
      ...missing.map((schedule) => ({ do: "create", schedule }) as const),
      ...wanted.flatMap((schedule) => changesOf(held.get(schedule.metadata.name), schedule)),
      ...world.schedules.filter(({ metadata }) => !names.has(metadata.name)).flatMap(deletion),
    ],
    notes,
  };
}

interface Wanted {
  readonly wanted: readonly ScheduleManifest[];
  readonly notes: readonly DiscoveryNote[];
}

const NOTHING: Wanted = { wanted: [], notes: [] };

function wantedSchedules(world: DiscoveryWorld): Wanted {
  const { object, namespace, kind, now } = world;
  const annotation = annotationOf(object);
  const isOn = namespace.labels[DISCOVERY_LABEL] === "enabled";
  if (annotation === undefined || !isOn || isDeleting(object)) return NOTHING;
  const timing = timingOf(annotation.value, now);
  if (typeof timing === "string") return warning("InvalidSchedule", `${annotation.name}: ${timing}.`);
  if (namespace.account === undefined)
    return warning(
      "AccountMissing",
      `The namespace has no annotation ${ANNOTATIONS.account}, so no account can be charged.`,
    );
  const urls = addressesOf(kind, object);
  if (urls.length === 0) return warning("NoHost", `The ${kind} serves no host without wildcard over HTTPS.`);
  const judged = urls.slice(0, MAX_HOSTS).map((url) => ({ url, refusal: refusalOf(url, world) }));
  const notes = judged.flatMap(({ url, refusal }) =>
    refusal === undefined ? [] : warning("TargetNotAllowed", `${url} is not scanned: ${refusal}.`).notes,
  );
  const more =
    urls.length > MAX_HOSTS
      ? warning("TooManyHosts", `Only the first ${MAX_HOSTS} of ${urls.length} hosts are scanned.`).notes
      : [];
  const allowed = judged.filter(({ refusal }) => refusal === undefined);
  return { wanted: allowed.map(({ url }) => scheduleFor(world, url, timing)), notes: [...notes, ...more] };
}

const warning = (reason: DiscoveryNote["reason"], note: string): Wanted => ({
  wanted: [],
  notes: [{ reason, note }],
});

const isDeleting = ({ metadata }: DiscoveredObject): boolean =>
  (metadata as { deletionTimestamp?: string } | undefined)?.deletionTimestamp !== undefined;

/** The times that the value of the annotation names; a string says why it names none. */
function timingOf(value: string, now: Date): Timing | string {
  const named = Object.hasOwn(NAMED, value) ? NAMED[value] : undefined;
  if (named) return named;
  const least = MIN_INTERVAL_MINUTES.enterprise ?? 15;
  const error =
    value.length > 100
      ? "is too long"
      : timingError({ schedule: value, timeZone: "Etc/UTC" }, now, least)?.error;
  if (error === undefined) return { schedule: value, jitterSeconds: 0 };
  return `must be hourly, daily, weekly or a cron expression, and ${JSON.stringify(value.slice(0, 100))} ${error}`;
}

function refusalOf(text: string, { namespace, refusal }: DiscoveryWorld): string | undefined {
  if (!URL.canParse(text)) return "it is not an address";
  const url = new URL(text);
  if (!mayBeTarget(url.hostname, namespace))
    return `the annotation ${ANNOTATIONS.targets} of the namespace does not list it`;
  return refusal(url);
}

function scheduleFor(
  { object, kind, apiVersion }: DiscoveryWorld,
  url: string,
  timing: Timing,
): ScheduleManifest {
  const { name = "", namespace = "", uid = "", annotations } = object.metadata ?? {};
  const revision = annotations?.[ANNOTATIONS.revision]?.trim().slice(0, MAX_REVISION);
  return {
    apiVersion: API_VERSION,
    kind: SCHEDULE_KIND,
    metadata: {
      name: scheduleName(kind, name, url),
      namespace,
      labels: { [LABELS.managedBy]: CONTROLLER_NAME },
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
    },
    spec: { ...timing, timeZone: "Etc/UTC", scanTemplate: { spec: { url } }, ...(revision && { revision }) },
  };
}

/** The same at every try, and of at most 52 characters. */
function scheduleName(kind: DiscoveredKind, name: string, url: string): string {
  const digest = createHash("sha256").update(`${kind} ${name} ${url}`).digest("hex").slice(0, 8);
  const readable = `${kind.toLowerCase()}-${name}`.slice(0, 43).replace(/[^a-z0-9]+$/, "");
  return `${readable}-${digest}`;
}

function changesOf(
  held: ScheduleResource | undefined,
  { spec, metadata }: ScheduleManifest,
): DiscoveryAction[] {
  const isSame =
    held === undefined ||
    (held.spec.schedule === spec.schedule &&
      held.spec.jitterSeconds === spec.jitterSeconds &&
      held.spec.timeZone === spec.timeZone &&
      (spec.revision === undefined || held.spec.revision === spec.revision) &&
      held.spec.scanTemplate.spec.url === spec.scanTemplate.spec.url);
  return isSame ? [] : [{ do: "patch", name: metadata.name, spec }];
}

const deletion = ({ metadata: { name, uid, deletionTimestamp } }: ScheduleResource): DiscoveryAction[] =>
  deletionTimestamp === undefined ? [{ do: "delete", name, uid }] : [];
