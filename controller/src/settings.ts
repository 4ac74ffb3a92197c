import { parseEgressDeny } from "@glovebox/egress";
import {
  anyText,
  contentOf,
  ipAddress,
  namespaceName,
  objectName,
  oneOf,
  optional,
  readSettings,
  setting,
  SettingsError,
  type SettingsOf,
  SHARED_SETTINGS,
  wholeNumber,
} from "@glovebox/settings";
import { parseHostPorts, type HostPort } from "./canary/settings.ts";
import { parsePodOptions, type PodOptions } from "./scan/pod-options.ts";

const off = { type: "on or off", default: "off", parse: oneOf("on", "off") } as const;

/** The controller's settings, in the order in which the documentation lists them. */
export const CONTROLLER_SETTINGS = {
  databaseUrl: setting({
    ...SHARED_SETTINGS.databaseUrl,
    description: "PostgreSQL, the same as the API's. Required.",
  }),
  namespace: setting({
    ...SHARED_SETTINGS.namespace,
    description: "Namespace of the Scan resources and of their pods.",
  }),
  scanNamespaces: setting({
    ...SHARED_SETTINGS.scanNamespaces,
    description: "Other namespaces whose Scan resources are run. Their pods are in GLOVEBOX_NAMESPACE.",
  }),
  discovery: setting({
    ...off,
    variable: "GLOVEBOX_DISCOVERY",
    description:
      "Whether the annotation glovebox.dev/scan-schedule of objects in GLOVEBOX_SCAN_NAMESPACES makes a ScanSchedule for their hosts.",
  }),
  policyReports: setting({
    ...off,
    variable: "GLOVEBOX_POLICY_REPORTS",
    description:
      "Whether the results of a completed scan are written into a Report (openreports.io) in the namespace of its Scan, where the cluster has that resource.",
  }),
  kubeconfig: SHARED_SETTINGS.kubeconfig,
  podName: setting({
    variable: "POD_NAME",
    type: "name",
    default: "glovebox-controller",
    description: "Name of this process in its Lease.",
    parse: anyText,
  }),
  podNamespace: setting({
    variable: "POD_NAMESPACE",
    type: "namespace",
    description: "Namespace of the Lease. Unset: GLOVEBOX_NAMESPACE.",
    parse: optional(namespaceName),
  }),
  podIp: setting({
    variable: "POD_IP",
    type: "IP address",
    description: "Address of this process, which no scan may reach. Required.",
    parse: ipAddress,
  }),
  leaseName: setting({
    variable: "GLOVEBOX_LEASE_NAME",
    type: "name",
    default: "glovebox-controller",
    description: "Lease that the replicas of one controller share.",
    parse: anyText,
  }),
  port: setting({
    ...SHARED_SETTINGS.port,
    description: "Port of /healthz, /readyz and /metrics; 0 selects a free port.",
  }),
  host: setting({
    variable: "GLOVEBOX_HOST",
    type: "IP address or name",
    description: "Address of /healthz, /readyz and /metrics. Unset: all.",
    parse: optional(anyText),
  }),
  canaries: setting({
    variable: "GLOVEBOX_CANARIES",
    type: "comma-separated list of host:port",
    description:
      "Addresses of canaries: names, which may have several addresses, and IP addresses. Required, because no scan can prove its isolation without a canary.",
    parse: parseCanaries,
  }),
  scannerFile: setting({
    variable: "GLOVEBOX_SCANNER_FILE",
    type: "file (JSON)",
    description:
      "Options of scan pods: image, imagePullPolicy, imagePullSecrets, serviceAccountName, runtimeClassName, priorityClassName, nodeSelector, tolerations, userNamespace, fixedUser, resources.",
    parse: optional(contentOf(parsePodOptions)),
  }),
  scannerImage: setting({
    variable: "SCANNER_IMAGE",
    type: "image",
    description: "Image of the scanner; overrides the one in the file. One of the two must be set.",
    parse: optional(anyText),
  }),
  runtimeClass: setting({
    variable: "GLOVEBOX_RUNTIME_CLASS",
    type: "name",
    description: "RuntimeClass of scan pods, such as gVisor or Kata; overrides the one in the file.",
    parse: optional(anyText),
  }),
  maxConcurrentScans: setting({
    variable: "GLOVEBOX_MAX_CONCURRENT_SCANS",
    type: "number",
    default: "10",
    description: "Scans that run at the same time, 1 to 10000.",
    parse: wholeNumber(1, 10_000),
  }),
  maxConcurrentScansPerAccount: SHARED_SETTINGS.maxConcurrentScansPerAccount,
  maxConcurrentScansPerHost: SHARED_SETTINGS.maxConcurrentScansPerHost,
  podWaitSeconds: setting({
    variable: "GLOVEBOX_POD_WAIT_SECONDS",
    type: "seconds",
    default: "600",
    description:
      "How long the Job of a scan may be rejected, or wait for its pod, before the scan fails, 10 to 3600.",
    parse: wholeNumber(10, 3600),
  }),
  isolationWaitSeconds: setting({
    variable: "GLOVEBOX_ISOLATION_WAIT_SECONDS",
    type: "seconds",
    default: "30",
    description: "How long a scanner waits for its network policy to take effect, 1 to 600.",
    parse: wholeNumber(1, 600),
  }),
  jobTtlSeconds: setting({
    variable: "GLOVEBOX_JOB_TTL_SECONDS",
    type: "seconds",
    default: "300",
    description: "How long the Job, pod and policy of a scan are kept after its end, 0 to 86400.",
    parse: wholeNumber(0, 86_400),
  }),
  scanTtlSeconds: setting({
    variable: "GLOVEBOX_SCAN_TTL_SECONDS",
    type: "seconds",
    default: "86400",
    description: "How long a Scan resource is kept after its scan has ended, 0 to 31536000.",
    parse: wholeNumber(0, 31_536_000),
  }),
  egressAllow: SHARED_SETTINGS.egressAllow,
  dnsServers: SHARED_SETTINGS.dnsServers,
  egressDeny: setting({
    variable: "GLOVEBOX_EGRESS_DENY",
    type: "comma-separated list of CIDR",
    description: "Public addresses that no scan may reach.",
    parse: parseEgressDeny,
  }),
  clusterCidrs: setting({
    variable: "GLOVEBOX_CLUSTER_CIDRS",
    type: "comma-separated list of CIDR",
    description: "Addresses of pods, services and nodes, which no scan may reach.",
    parse: parseEgressDeny,
  }),
  extraCaConfigMap: setting({
    variable: "GLOVEBOX_EXTRA_CA_CONFIG_MAP",
    type: "name",
    description:
      "ConfigMap in GLOVEBOX_NAMESPACE whose key extra-ca.pem contains additional certificate authorities (PEM) that scans trust.",
    parse: optional(objectName),
  }),
  logLevel: SHARED_SETTINGS.logLevel,
};

type Variables = SettingsOf<typeof CONTROLLER_SETTINGS>;
export type ControllerSettings = Variables & { readonly pod: PodOptions };

/**
 * The controller's settings from the environment, with a warning for each unknown GLOVEBOX_ variable.
 * @throws SettingsError for the first variable that cannot be used
 */
export function readControllerSettings(environment: NodeJS.ProcessEnv): {
  readonly settings: ControllerSettings;
  readonly warnings: readonly string[];
} {
  const { settings, warnings } = readSettings(CONTROLLER_SETTINGS, environment);
  return { settings: { ...settings, pod: podOptions(settings) }, warnings };
}

function parseCanaries(text: string): HostPort[] {
  const endpoints = parseHostPorts(text);
  if (endpoints.length === 0) throw new Error("must be set");
  return endpoints;
}

function podOptions({ scannerFile, scannerImage, runtimeClass, extraCaConfigMap }: Variables): PodOptions {
  const file = scannerFile ?? parsePodOptions("{}");
  const image = scannerImage ?? file.image;
  if (image === undefined)
    throw new SettingsError("SCANNER_IMAGE: must be set, or the image in the file of GLOVEBOX_SCANNER_FILE");
  return {
    ...file,
    image,
    ...(runtimeClass !== undefined && { runtimeClassName: runtimeClass }),
    ...(extraCaConfigMap !== undefined && { extraCaConfigMap }),
  };
}
