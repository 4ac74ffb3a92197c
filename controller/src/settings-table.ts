import { isIP } from "node:net";
import { parseDnsServers, parseEgressAllow } from "@glovebox/egress";
import * as z from "zod";
import { parsePlaces } from "./canary/places.ts";
import { readPodOptions } from "./setting-files.ts";
import {
  namespace,
  namespaces,
  objectName,
  orIssue,
  orNone,
  ranges,
  wholeNumber,
} from "./setting-schemas.ts";

/** One setting: what it may be, and what it is for. Its variable is its key in the table. */
export interface Setting<T> {
  readonly type: string;
  /** As text, exactly as one would set it; undefined: unset means absent, or refused where the schema wants text. */
  readonly fallback?: string;
  readonly meaning: string;
  readonly schema: z.ZodType<T, string | undefined>;
}

const setting = <T>(definition: Setting<T>): Setting<T> => definition;

const postgresUrl = "must be a URL that starts with postgres:// or postgresql://";

/** The controller's settings, in the order in which the documentation lists them. */
export const SETTINGS = {
  DATABASE_URL: setting({
    type: "postgres:// URL",
    meaning: "PostgreSQL, the same as the API's. It must be set.",
    schema: z.string(postgresUrl).regex(/^postgres(ql)?:\/\//, postgresUrl),
  }),
  GLOVEBOX_NAMESPACE: setting({
    type: "namespace",
    fallback: "glovebox-scans",
    meaning: "Namespace of the Scan resources and of their pods.",
    schema: namespace,
  }),
  GLOVEBOX_SCAN_NAMESPACES: setting({
    type: "list of namespaces, with commas",
    meaning: "Other namespaces whose Scan resources are carried out. Their pods are in the one above.",
    schema: namespaces,
  }),
  KUBECONFIG: setting({
    type: "file (YAML)",
    meaning: "How to reach the cluster. Unset: as the service account of the pod that this runs in.",
    schema: z.string().optional(),
  }),
  POD_NAME: setting({
    type: "name",
    fallback: "glovebox-controller",
    meaning: "Name of this process in its Lease.",
    schema: z.string(),
  }),
  POD_NAMESPACE: setting({
    type: "namespace",
    meaning: "Where the Lease is. Unset: the namespace of the scans.",
    schema: namespace.optional(),
  }),
  POD_IP: setting({
    type: "IP address",
    meaning: "Address of this process, which no scan may reach. It must be set.",
    schema: z.string("must be an IP address").refine((text) => isIP(text) !== 0, "must be an IP address"),
  }),
  GLOVEBOX_LEASE_NAME: setting({
    type: "name",
    fallback: "glovebox-controller",
    meaning: "Lease that the replicas of one controller share.",
    schema: z.string(),
  }),
  PORT: setting({
    type: "port number",
    fallback: "8080",
    meaning: "Port of /healthz, /readyz and /metrics; 0 takes any free one.",
    schema: wholeNumber(0, 65_535),
  }),
  GLOVEBOX_HOST: setting({
    type: "IP address or name",
    meaning: "Address of /healthz, /readyz and /metrics. Unset: all.",
    schema: z.string().optional(),
  }),
  GLOVEBOX_CANARIES: setting({
    type: "list of host:port, with commas",
    meaning:
      "Where canaries are: names, each address of which may be one, and addresses. It must be set, as no scan can prove its isolation without a canary.",
    schema: z
      .string("must be set")
      .transform(orIssue(parsePlaces))
      .refine((places) => places.length > 0, "must be set"),
  }),
  GLOVEBOX_SCANNER_FILE: setting({
    type: "file (JSON)",
    meaning:
      "Options of scan pods: image, imagePullPolicy, imagePullSecrets, serviceAccountName, runtimeClassName, priorityClassName, nodeSelector, tolerations, userNamespace, resources.",
    schema: z.string().optional().transform(orNone(readPodOptions)),
  }),
  SCANNER_IMAGE: setting({
    type: "image",
    meaning: "Image of the scanner; wins over the file's. One of the two must be set.",
    schema: z.string().optional(),
  }),
  GLOVEBOX_RUNTIME_CLASS: setting({
    type: "name",
    meaning: "RuntimeClass of scan pods, such as one of gVisor or Kata; wins over the file's.",
    schema: z.string().optional(),
  }),
  GLOVEBOX_MAX_CONCURRENT_SCANS: setting({
    type: "number",
    fallback: "10",
    meaning: "Scans that run at the same time, 1 to 10000.",
    schema: wholeNumber(1, 10_000),
  }),
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: setting({
    type: "number",
    fallback: "5",
    meaning: "Of those, scans of one account, 1 to 10000.",
    schema: wholeNumber(1, 10_000),
  }),
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: setting({
    type: "number",
    fallback: "2",
    meaning: "Of those, scans of one target host, 1 to 10000.",
    schema: wholeNumber(1, 10_000),
  }),
  GLOVEBOX_POD_WAIT_SECONDS: setting({
    type: "seconds",
    fallback: "600",
    meaning:
      "How long the Job of a scan may be refused, and then wait for its pod, before the scan has failed, 10 to 3600.",
    schema: wholeNumber(10, 3600),
  }),
  GLOVEBOX_ISOLATION_WAIT_SECONDS: setting({
    type: "seconds",
    fallback: "30",
    meaning: "How long a scanner waits for its network policy to take effect, 1 to 600.",
    schema: wholeNumber(1, 600),
  }),
  GLOVEBOX_JOB_TTL_SECONDS: setting({
    type: "seconds",
    fallback: "300",
    meaning: "How long the Job, pod and policy of a scan stay after its end, 0 to 86400.",
    schema: wholeNumber(0, 86_400),
  }),
  GLOVEBOX_SCAN_TTL_SECONDS: setting({
    type: "seconds",
    fallback: "86400",
    meaning: "How long a Scan resource stays after its scan has ended, 0 to 31536000.",
    schema: wholeNumber(0, 31_536_000),
  }),
  GLOVEBOX_EGRESS_ALLOW: setting({
    type: "list of CIDR or host:port, with commas",
    meaning: "Private addresses that may be scanned all the same.",
    schema: z.string().default("").transform(orIssue(parseEgressAllow)),
  }),
  GLOVEBOX_DNS_SERVERS: setting({
    type: "list of addresses, with commas",
    meaning: "Name servers that the hosts of targets are looked up with. Unset: those of /etc/resolv.conf.",
    schema: z.string().default("").transform(orIssue(parseDnsServers)),
  }),
  GLOVEBOX_EGRESS_DENY: setting({
    type: "list of CIDR, with commas",
    meaning: "Addresses that no scan may reach although they are public.",
    schema: ranges,
  }),
  GLOVEBOX_CLUSTER_CIDRS: setting({
    type: "list of CIDR, with commas",
    meaning: "Addresses of pods, services and nodes, which no scan may reach.",
    schema: ranges,
  }),
  GLOVEBOX_EXTRA_CA_CONFIG_MAP: setting({
    type: "name",
    meaning:
      "ConfigMap in the namespace of the scans. Its key extra-ca.pem holds certificate authorities (PEM) that scans trust beside the usual ones.",
    schema: objectName.optional(),
  }),
  GLOVEBOX_LOG_LEVEL: setting({
    type: "level",
    fallback: "info",
    meaning: "Least level that is logged: trace, debug, info, warn, error, fatal or silent.",
    schema: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "must be trace, debug, info, warn, error, fatal or silent",
    }),
  }),
};
