import { IDENTITIES_FILE, type IdentityInput } from "@glovebox/contract";
import { dump } from "js-yaml";
import { API_VERSION, GROUP, KIND, PLURAL, SCHEDULE_KIND } from "./names.ts";
import type { ScanManifest } from "./scan-resource.ts";
import type { ScheduleManifest } from "./schedule-resource.ts";

/** Plain data as YAML in block style, keys in the order of the object. Texts that YAML 1.1 reads as something else are quoted. */
export const toYaml = (value: object): string =>
  dump(value, { lineWidth: -1, noRefs: true, quoteStyle: "double" });

/** The namespace of scans, as the chart makes it. */
const NAMESPACE = "glovebox-scans";

/** `kubectl apply -f` this, and watch it with `kubectl get scans`. @internal */
export const scanExample: ScanManifest = {
  apiVersion: API_VERSION,
  kind: KIND,
  metadata: { name: "shop", namespace: NAMESPACE },
  spec: {
    url: "https://api.shop.example/v1",
    specUrl: "https://api.shop.example/openapi.json",
    context: "financial",
    account: "default",
  },
};

const IDENTITIES_SECRET = "shop-identities";

/** A scan that is signed in as two users. @internal */
export const signedInExample = {
  secret: {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: IDENTITIES_SECRET, namespace: NAMESPACE },
    type: "Opaque",
    stringData: {
      [IDENTITIES_FILE]: toYaml({
        identities: [
          { name: "alice", headers: { Authorization: "Bearer CHANGE-ME" } },
          {
            name: "bob",
            login: { operation: "POST /login", body: { email: "bob@shop.example", password: "CHANGE-ME" } },
          },
        ] satisfies IdentityInput[],
      }),
    },
  },
  scan: {
    ...scanExample,
    metadata: { name: "shop-signed-in", namespace: NAMESPACE },
    spec: {
      ...scanExample.spec,
      identitiesSecretRef: { name: IDENTITIES_SECRET },
      exclude: ["POST /payments/**"],
    },
  } satisfies ScanManifest,
};

/** The same scan every night. @internal */
export const scheduleExample: ScheduleManifest = {
  apiVersion: API_VERSION,
  kind: SCHEDULE_KIND,
  metadata: { name: "shop-nightly", namespace: NAMESPACE },
  spec: {
    schedule: "30 2 * * *",
    timeZone: "Europe/Berlin",
    jitterSeconds: 600,
    concurrencyPolicy: "Forbid",
    scanTemplate: { spec: scanExample.spec },
  },
};

const NIGHTLY = "nightly-scan";
/** Of the release: in the namespace of scans, no pod reaches the API server. */
const nightly = { name: NIGHTLY, namespace: "glovebox" };
const nightlyRights = { name: NIGHTLY, namespace: NAMESPACE };

/** What each run creates: a new Scan, so it has a generated name. @internal */
export const nightlyScan: ScanManifest = {
  ...scanExample,
  metadata: { generateName: "shop-nightly-", namespace: NAMESPACE },
};

/** A CronJob that creates a Scan every night, with the little that it needs to be allowed to. @internal */
export const nightlyExample: readonly object[] = [
  { apiVersion: "v1", kind: "ServiceAccount", metadata: nightly },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: nightlyRights,
    rules: [{ apiGroups: [GROUP], resources: [PLURAL], verbs: ["create"] }],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: nightlyRights,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: NIGHTLY },
    subjects: [{ kind: "ServiceAccount", ...nightly }],
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: nightly,
    data: { "scan.yaml": toYaml(nightlyScan) },
  },
  nightlyCronJob(),
];

/** The files of k8s/examples by name. */
export const EXAMPLE_FILES: Readonly<Record<string, string>> = {
  "scan.yaml": `# One scan. Change url and account (one that the namespace's annotation glovebox.dev/accounts lists), then: kubectl apply -f scan.yaml\n${toYaml(scanExample)}`,
  "signed-in-scan.yaml": `# A scan as two users. Change their credentials, and url and account as in scan.yaml. Then: kubectl apply -f signed-in-scan.yaml. The\n# Secret stays, for further scans and schedules.\n${Object.values(signedInExample).map(toYaml).join("---\n")}`,
  "scan-schedule.yaml": `# A scan every night between 02:30 and 02:40 in Berlin. Change url and account (one that the namespace's annotation\n# glovebox.dev/accounts lists), then: kubectl apply -f scan-schedule.yaml\n${toYaml(scheduleExample)}`,
  "nightly-scan.yaml": `# A scan every night at 02:30 UTC, for a release named glovebox in the namespace glovebox. Change url and account, then:\n# kubectl apply -f nightly-scan.yaml. The CronJob is in the namespace of the release, because pods in the namespace of scans\n# reach nothing; it may create Scans there, and no more. To run it immediately:\n# kubectl --namespace glovebox create job --from=cronjob/nightly-scan nightly-scan-now\n${nightlyExample.map(toYaml).join("---\n")}`,
};

function nightlyCronJob(): object {
  const container = {
    name: "create",
    image: "registry.k8s.io/kubectl:v1.34.1",
    args: ["create", "--filename=/scan/scan.yaml", "--validate=false"],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
    volumeMounts: [{ name: "scan", mountPath: "/scan", readOnly: true }],
  };
  const pod = {
    serviceAccountName: NIGHTLY,
    restartPolicy: "Never",
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: "RuntimeDefault" } },
    containers: [container],
    volumes: [{ name: "scan", configMap: { name: NIGHTLY } }],
  };
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: nightly,
    spec: {
      schedule: "30 2 * * *",
      timeZone: "Etc/UTC",
      concurrencyPolicy: "Forbid",
      jobTemplate: { spec: { backoffLimit: 2, template: { spec: pod } } },
    },
  };
}
