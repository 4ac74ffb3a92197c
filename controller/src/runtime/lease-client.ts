import { CoordinationV1Api, type V1Lease, V1MicroTime } from "@kubernetes/client-node";
import { within } from "./call-options.ts";
import { toKubeError } from "./kube-error.ts";
import { createTransport } from "./kube-transport.ts";
import type { LeaseRecord, LeaseStore, StoredLease } from "./lease-record.ts";
import { readObjects } from "./objects.ts";
import type { PooledKubeConfig } from "./pooled-kube-config.ts";
import { LEASES, type ObjectName, type Wire } from "./resource.ts";

/** How long a call may take: less than the time in which a leader must have renewed. */
const CALL_TIMEOUT_MS = 5000;

/** The Lease object of that name. */
export function leaseClient(config: PooledKubeConfig, { namespace, name }: ObjectName): LeaseStore {
  const api = config.makeApiClient(CoordinationV1Api);
  const leases = readObjects<Wire<V1Lease>>(createTransport(config), LEASES);
  const body = (record: LeaseRecord, resourceVersion?: string): V1Lease => ({
    metadata: { name, namespace, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: toSpec(record),
  });
  const write = async (call: string, written: Promise<V1Lease>): Promise<StoredLease> => {
    try {
      return toStored(await written);
    } catch (error) {
      throw toKubeError(call, error);
    }
  };
  return {
    async read() {
      const lease = await leases.get({ namespace, name });
      return lease && toStored(lease);
    },
    create: (record) =>
      write("create leases", api.createNamespacedLease({ namespace, body: body(record) }, limit())),
    replace: (record, version) =>
      write(
        "replace leases",
        api.replaceNamespacedLease({ namespace, name, body: body(record, version) }, limit()),
      ),
  };
}

const limit = (): ReturnType<typeof within> => within(CALL_TIMEOUT_MS);

const toSpec = (record: LeaseRecord): NonNullable<V1Lease["spec"]> => ({
  // The API takes no empty holder.
  ...(record.holder !== "" && { holderIdentity: record.holder }),
  leaseDurationSeconds: record.durationSeconds,
  acquireTime: new V1MicroTime(record.acquireTime),
  renewTime: new V1MicroTime(record.renewTime),
  leaseTransitions: record.transitions,
});

const toStored = ({ metadata, spec = {} }: V1Lease | Wire<V1Lease>): StoredLease => ({
  record: toRecord(spec),
  version: metadata?.resourceVersion ?? "",
});

type Spec = NonNullable<(V1Lease | Wire<V1Lease>)["spec"]>;

/** A field that is missing is read as if nobody held the lease, or had renewed it. */
const toRecord = ({
  holderIdentity = "",
  leaseDurationSeconds = 0,
  acquireTime = new Date(0),
  renewTime = new Date(0),
  leaseTransitions = 0,
}: Spec): LeaseRecord => ({
  holder: holderIdentity,
  durationSeconds: leaseDurationSeconds,
  acquireTime: new Date(acquireTime),
  renewTime: new Date(renewTime),
  transitions: leaseTransitions,
});
