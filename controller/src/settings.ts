import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createEgressPolicy, parseEgressAllow } from "@glovebox/egress";
import * as z from "zod";
import type { PodOptions } from "./scan/job-manifest.ts";

/** A setting that cannot be used: one line that names the variable and the reason. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export type ControllerSettings = z.output<typeof schema> & { readonly pod: PodOptions };

/**
 * The controller's settings from the environment. An empty variable counts as unset.
 * @throws SettingsError for the first variable that cannot be used.
 */
export function readSettings(environment: NodeJS.ProcessEnv): ControllerSettings {
  const present = Object.entries(environment).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(present));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new SettingsError(`${path.join(".")}: ${message}`);
  }
  return { ...parsed.data, pod: podOptions(parsed.data) };
}

const wholeNumber = (min: number, max: number, fallback: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
};

const orIssue =
  <Out>(parse: (text: string) => Out) =>
  (text: string, context: z.RefinementCtx): Out => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue((error as Error).message.replace(/^Egress [^:]+: /, ""));
      return z.NEVER;
    }
  };

const DNS_LABEL = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const namespace = z.string().regex(DNS_LABEL, "must be the name of a namespace");

/** CIDRs and addresses, separated by commas or white space. */
const ranges = z
  .string()
  .default("")
  .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ""))
  .transform((deny, context) => orIssue(() => (createEgressPolicy({ deny }), deny))("", context));

/** The order is an annotation, and Kubernetes takes 256 KiB of those. */
const MOST_CA_BYTES = 128 * 1024;

const schema = z.object({
  DATABASE_URL: z
    .string("must be a URL that starts with postgres:// or postgresql://")
    .regex(/^postgres(ql)?:\/\//, "must be a URL that starts with postgres:// or postgresql://"),
  /** Namespace of Scans and their pods. */
  GLOVEBOX_NAMESPACE: namespace.default("glovebox-scans"),
  /** Of this process: names it in its Lease. */
  POD_NAME: z.string().default("glovebox-controller"),
  /** Where the Lease is; the namespace of the scans when unset. */
  POD_NAMESPACE: namespace.optional(),
  /** Where every unsealed pod reaches the canary. */
  POD_IP: z.string("must be an IP address").refine((text) => isIP(text) !== 0, "must be an IP address"),
  GLOVEBOX_LEASE_NAME: z.string().default("glovebox-controller"),
  KUBECONFIG: z.string().optional(),
  PORT: wholeNumber(0, 65_535, 8080),
  /** Address of /healthz, /readyz and /metrics; all when unset. */
  GLOVEBOX_HOST: z.string().optional(),
  GLOVEBOX_CANARY_PORT: wholeNumber(0, 65_535, 8099),
  /** Address that the canary listens on; all when unset. */
  GLOVEBOX_CANARY_HOST: z.string().optional(),
  GLOVEBOX_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "must be trace, debug, info, warn, error, fatal or silent",
    })
    .default("info"),
  /** Options of scan pods, as JSON (PodOptions). */
  GLOVEBOX_SCANNER_FILE: z.string().optional().transform(orNone(readJsonFile)),
  /** Image of the scanner; wins over the file's. */
  SCANNER_IMAGE: z.string().optional(),
  GLOVEBOX_RUNTIME_CLASS: z.string().optional(),
  GLOVEBOX_MAX_CONCURRENT_SCANS: wholeNumber(1, 10_000, 10),
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: wholeNumber(1, 10_000, 5),
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: wholeNumber(1, 10_000, 2),
  GLOVEBOX_ISOLATION_WAIT_SECONDS: wholeNumber(1, 600, 30),
  GLOVEBOX_SCAN_TTL_SECONDS: wholeNumber(0, 31_536_000, 86_400),
  GLOVEBOX_EGRESS_ALLOW: z.string().default("").transform(orIssue(parseEgressAllow)),
  /** Ranges that no scan may reach although they are public. */
  GLOVEBOX_EGRESS_DENY: ranges,
  /** Ranges of pods, services and nodes: refused in the same way. */
  GLOVEBOX_CLUSTER_CIDRS: ranges,
  /** File with certificates (PEM) that scans trust beside the usual ones. */
  GLOVEBOX_EXTRA_CA: z.string().optional().transform(orNone(readCertificates)),
});

/** A parser of the text, where there is one. */
function orNone<Out>(parse: (text: string) => Out) {
  return (text: string | undefined, context: z.RefinementCtx): Out | undefined =>
    text === undefined ? undefined : orIssue(parse)(text, context);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

function readJsonFile(path: string): z.output<typeof podSchema> {
  const text = readText(path);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`${path}: is no JSON`);
  }
  const pod = podSchema.safeParse(json);
  if (pod.success) return pod.data;
  const { path: where, message } = pod.error.issues[0]!;
  throw new Error(`${path}: ${[...where, message].join(" ")}`);
}

function readCertificates(path: string): string {
  const text = readText(path);
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new Error(`${path}: holds no certificate in PEM`);
  if (Buffer.byteLength(text) > MOST_CA_BYTES)
    throw new Error(`${path}: is larger than ${MOST_CA_BYTES} bytes`);
  return text;
}

/** What of the pod is left to the operator. A field that is none of these is an error: nothing is dropped unseen. */
const podSchema = z.strictObject({
  image: z.string().min(1).optional(),
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).optional(),
  imagePullSecrets: z.array(z.string()).optional(),
  serviceAccountName: z.string().optional(),
  runtimeClassName: z.string().optional(),
  priorityClassName: z.string().optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  tolerations: z
    .array(
      z.strictObject({
        key: z.string().optional(),
        operator: z.string().optional(),
        value: z.string().optional(),
        effect: z.string().optional(),
        tolerationSeconds: z.int().optional(),
      }),
    )
    .optional(),
  userNamespace: z.boolean().optional(),
  resources: z
    .strictObject({ cpu: z.string(), memory: z.string(), ephemeralStorage: z.string() })
    .default({ cpu: "500m", memory: "512Mi", ephemeralStorage: "128Mi" }),
});

function podOptions(settings: z.output<typeof schema>): PodOptions {
  const file = settings.GLOVEBOX_SCANNER_FILE ?? podSchema.parse({});
  const image = settings.SCANNER_IMAGE ?? file.image;
  if (image === undefined)
    throw new SettingsError("SCANNER_IMAGE: must be set, or the image in the file of GLOVEBOX_SCANNER_FILE");
  const runtimeClassName = settings.GLOVEBOX_RUNTIME_CLASS ?? file.runtimeClassName;
  const given = Object.entries({ ...file, image, runtimeClassName }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given) as unknown as PodOptions;
}
