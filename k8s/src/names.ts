import { isScanId } from "@glovebox/contract";

/** The Scan resource as the API server knows it: `scans.glovebox.dev`, version `v1alpha1`. */
export const GROUP = "glovebox.dev";
export const VERSION = "v1alpha1";
export const KIND = "Scan";
export const PLURAL = "scans";
export const API_VERSION = `${GROUP}/${VERSION}`;
/** Its path in the API. */
export const SCANS = { group: GROUP, version: VERSION, plural: PLURAL } as const;

/** The ScanSchedule resource: `scanschedules.glovebox.dev`. */
export const SCHEDULE_KIND = "ScanSchedule";
export const SCAN_SCHEDULES = { group: GROUP, version: VERSION, plural: "scanschedules" } as const;
/** On a Scan: the name of the ScanSchedule that created it. */
export const SCHEDULE_LABEL = `${GROUP}/schedule`;
/** On a namespace: with the value `enabled`, its annotated objects are scanned. */
export const DISCOVERY_LABEL = `${GROUP}/discovery`;

/**
 * Labels of all that belongs to one attempt at a scan. Cilium makes an identity of every distinct set of labels:
 * exclude the first two, and `batch.kubernetes.io/job-name`, from its identity-relevant labels.
 */
export const LABELS = {
  scan: `${GROUP}/scan`,
  attempt: `${GROUP}/attempt`,
  name: "app.kubernetes.io/name",
  managedBy: "app.kubernetes.io/managed-by",
} as const;

/** Value of `app.kubernetes.io/name` on every scan pod: what a base policy selects. */
export const SCANNER_NAME = "glovebox-scanner";
/** Value of `app.kubernetes.io/managed-by` on the Scans that the API makes. */
export const API_NAME = "glovebox-api";
export const CONTROLLER_NAME = "glovebox-controller";

/** The Secret with the identities that the API was given for a scan. No other scan may use a Secret of such a name. */
export const identitiesSecretName = (scanId: string): string => `${scanId}${IDENTITIES_SUFFIX}`;
const IDENTITIES_SUFFIX = "-identities";

/** Id of the scan for which the API creates a Secret of this name; undefined for all other names. */
export function scanOfIdentitiesSecret(name: string): string | undefined {
  const id = name.slice(0, -IDENTITIES_SUFFIX.length);
  return name.endsWith(IDENTITIES_SUFFIX) && isScanId(id) ? id : undefined;
}

export const ANNOTATIONS = {
  /** On a namespace: the account that its Scans are charged to, unless their spec names one. */
  account: `${GROUP}/account`,
  /** On a namespace: the accounts that its Scans may name, with commas; the one above is always among them. */
  accounts: `${GROUP}/accounts`,
  /** On a Job: the canary that it was started beside, as JSON. Scan pods cannot write it. */
  canary: `${GROUP}/canary`,
  /** On a namespace: the hosts that its Scans may name, with commas; `*.` matches one or more labels. Absent: any. */
  targets: `${GROUP}/targets`,
  /** On a namespace other than that of scan pods: the Secrets there that its Scans may name, with commas. Absent: none. */
  identities: `${GROUP}/identities`,
  /** On a Job or policy of a Scan of another namespace, which cannot own it: `namespace/name/uid` of the Scan. */
  scanResource: `${GROUP}/scan-resource`,
  /** On a Job's pods: the ScanOrder, as JSON, which the pod sees as a file. */
  order: `${GROUP}/order`,
  /** On a Job: uid and generation of the NetworkPolicy that it was started with, as `uid/generation`. */
  policy: `${GROUP}/policy`,
  /** On an Ingress, HTTPRoute or Service: when its hosts are scanned: `hourly`, `daily`, `weekly` or a cron expression. */
  scanSchedule: `${GROUP}/scan-schedule`,
  /** The name of `scanSchedule` until release 0.3, still read where that is absent. To be removed after release 0.4. */
  formerScanSchedule: `${GROUP}/scan`,
  /** Beside it: what is deployed behind the object, such as a commit. When it changes, the hosts are scanned. */
  revision: `${GROUP}/revision`,
  /** On a NetworkPolicy: the pins that it opens, as JSON, so that the order is given the same. */
  pins: `${GROUP}/pins`,
} as const;

/** The Scan as the owner of what is made for it, which Kubernetes deletes with it. */
export const ownerReferenceOf = ({ name, uid }: { readonly name: string; readonly uid: string }) => ({
  apiVersion: API_VERSION,
  kind: KIND,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: false,
});
