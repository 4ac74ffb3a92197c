import {
  collectionPath,
  LEASES,
  microTime,
  type ObjectName,
  objectPath,
  type Wire,
} from "../client/resource.ts";
import { type KubeRequest, type KubeTransport, requestJson } from "../client/client.ts";
import { objects } from "../client/objects.ts";
import type { V1Lease } from "@kubernetes/client-node";

/** The spec of a Lease (coordination.k8s.io/v1). */
export interface LeaseRecord {
  /** Empty when the lease is not held. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquireTime: Date;
  readonly renewTime: Date;
  /** How often the holder has changed. */
  readonly transitions: number;
}

/** A record with the resource version that it was read at. */
export interface StoredLease {
  readonly record: LeaseRecord;
  readonly version: string;
}

/** Where the Lease is kept. Every write names the version it replaces, and fails when that is not the newest. */
export interface LeaseStore {
  read(): Promise<StoredLease | undefined>;
  /** @throws KubeError AlreadyExists */
  create(record: LeaseRecord): Promise<StoredLease>;
  /** @throws KubeError Conflict */
  replace(record: LeaseRecord, version: string): Promise<StoredLease>;
}

/** The candidate for the lease, and the duration. */
export interface Claim {
  readonly identity: string;
  readonly leaseMs: number;
}

/** True if the lease has no holder, is held by this process, or was observed unchanged for its whole duration. */
export function isClaimable(record: LeaseRecord, unchangedMs: number, { identity, leaseMs }: Claim): boolean {
  if (record.holder === "" || record.holder === identity) return true;
  return unchangedMs >= Math.max(leaseMs, record.durationSeconds * 1000);
}

/** True when the holder has renewed, or another took over, between two reads. */
export const hasChanged = (before: LeaseRecord | undefined, after: LeaseRecord): boolean =>
  before?.holder !== after.holder ||
  before.transitions !== after.transitions ||
  before.renewTime.getTime() !== after.renewTime.getTime();

/** The record that takes or renews the lease. */
export function claimed(held: LeaseRecord | undefined, { identity, leaseMs }: Claim, now: Date): LeaseRecord {
  const mine = held?.holder === identity;
  return {
    holder: identity,
    durationSeconds: Math.ceil(leaseMs / 1000),
    acquireTime: mine ? held.acquireTime : now,
    renewTime: now,
    transitions: held === undefined ? 0 : held.transitions + (mine ? 0 : 1),
  };
}

/** The record of a released lease. A duration of 0 is not allowed. */
export const released = (held: LeaseRecord, now: Date): LeaseRecord => ({
  ...held,
  holder: "",
  durationSeconds: 1,
  renewTime: now,
});

type Lease = Wire<V1Lease>;

/** Timeout of a call: less than the time in which a leader must renew. */
const CALL_TIMEOUT_MS = 5000;

/** The Lease object of that name. */
export function leaseClient(transport: KubeTransport, { namespace, name }: ObjectName): LeaseStore {
  const bodyOf = (record: LeaseRecord, resourceVersion?: string) => ({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: toSpec(record),
  });
  const write = async (request: KubeRequest): Promise<StoredLease> => {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    return toStored(await requestJson<Lease>(transport, { ...request, signal }));
  };
  return {
    async read() {
      const lease = await objects<Lease>(transport, LEASES).get({ namespace, name });
      return lease && toStored(lease);
    },
    create: (record) =>
      write({ method: "POST", path: collectionPath(LEASES, namespace), body: bodyOf(record) }),
    replace: (record, version) =>
      write({ method: "PUT", path: objectPath(LEASES, { namespace, name }), body: bodyOf(record, version) }),
  };
}

const toSpec = (record: LeaseRecord): NonNullable<Lease["spec"]> => ({
  // The API takes no empty holder.
  ...(record.holder !== "" && { holderIdentity: record.holder }),
  leaseDurationSeconds: record.durationSeconds,
  acquireTime: microTime(record.acquireTime),
  renewTime: microTime(record.renewTime),
  leaseTransitions: record.transitions,
});

const toStored = ({ metadata, spec = {} }: Lease): StoredLease => ({
  record: toRecord(spec),
  version: metadata?.resourceVersion ?? "",
});

/** A missing field is read as a lease that is not held, or was never renewed. */
const toRecord = ({
  holderIdentity = "",
  leaseDurationSeconds = 0,
  acquireTime,
  renewTime,
  leaseTransitions = 0,
}: NonNullable<Lease["spec"]>): LeaseRecord => ({
  holder: holderIdentity,
  durationSeconds: leaseDurationSeconds,
  acquireTime: new Date(acquireTime ?? 0),
  renewTime: new Date(renewTime ?? 0),
  transitions: leaseTransitions,
});
