import {
  collectionPath,
  type KubeRequest,
  type KubeTransport,
  LEASES,
  type ObjectName,
  objectPath,
  objects,
  requestJson,
  type Wire,
} from "@glovebox/kube";
import type { V1Lease } from "@kubernetes/client-node";
import type { LeaseRecord, LeaseStore, StoredLease } from "./lease-record.ts";
import { microTime } from "./micro-time.ts";

type Lease = Wire<V1Lease>;

/** How long a call may take: less than the time in which a leader must have renewed. */
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

/** A field that is missing is read as if nobody held the lease, or had renewed it. */
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
