import { createHash } from "node:crypto";
import {
  CONTEXTS,
  GRADES,
  IDENTITIES_FILE,
  isScanId,
  newScanId,
  operationFiltersSchema,
  scanModeSchema,
  SCAN_FAILURE_CODES,
  SCAN_FIELDS,
} from "@glovebox/contract";
import * as z from "zod";
import { REASON_NAMES, STEP_TYPES, SUMMARY_TYPES } from "./conditions.ts";
import { API_NAME, API_VERSION, KIND, LABELS } from "./names.ts";

export const PHASES = ["Pending", "Running", "Completed", "Failed"] as const;
export type Phase = (typeof PHASES)[number];

/** Every Scan ends earlier than this after its creation, with any settings of the controller. */
export const MAX_SCAN_SECONDS = 48 * 3600;

const { url, specUrl } = SCAN_FIELDS;
const time = z.iso.datetime();

/** What Kubernetes accepts as the name of a Secret. */
const SECRET_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The spec of a Scan. It cannot be changed once the scan is accepted. */
export const scanSpecSchema = z
  .object({
    url: url.min(1).meta({
      format: "uri",
      description:
        "Address of the API to scan. Plain HTTP only at addresses that GLOVEBOX_EGRESS_ALLOW lists.",
    }),
    specUrl: specUrl.meta({
      format: "uri",
      description: "Address of its OpenAPI or Swagger document, as `url`. Without it, the API is explored.",
    }),
    context: z.enum(CONTEXTS).optional().meta({
      description:
        "What the API is for. It changes the weights of the score and the severity of some findings.",
    }),
    mode: scanModeSchema.optional().meta({
      description:
        "Default: safe, which writes nothing that could be stored. active: the owner of the target consents to writes; the scan creates its own users and objects, changes only these, and deletes them again. The account must be allowed to.",
    }),
    account: z.string().min(1).max(100).optional().meta({
      description:
        "Name of the account that the scan is charged to. The namespace's annotation glovebox.dev/accounts must list it. Default: the account in the namespace's annotation glovebox.dev/account.",
    }),
    identitiesSecretRef: z
      .object({
        name: z.string().min(1).max(253).regex(SECRET_NAME).meta({ description: "Name of the Secret." }),
      })
      .optional()
      .meta({
        description: `The Secret whose key ${IDENTITIES_FILE} has the identities that the scan signs in as. It is in the namespace where scan pods run. The namespace's annotation glovebox.dev/identities must list it, unless that is the same namespace.`,
      }),
    include: operationFiltersSchema.min(1).optional().meta({
      description:
        "If given, only these operations are called. Each is a method, a path pattern, both, `tag:NAME` or `id:OPERATION_ID`.",
    }),
    exclude: operationFiltersSchema.min(1).optional().meta({
      description: "Operations that are not called, in the same form. It takes precedence over include.",
    }),
  })
  .meta({ description: "What to scan. It cannot be changed once the scan is accepted." });
export type ScanSpec = z.infer<typeof scanSpecSchema>;

export const conditionSchema = z
  .object({
    type: z.enum([...STEP_TYPES, ...SUMMARY_TYPES]).meta({ description: "Type of the condition." }),
    status: z.enum(["True", "False", "Unknown"]).meta({ description: "Status of the condition." }),
    reason: z.enum(REASON_NAMES).meta({ description: "Reason in CamelCase, for programs." }),
    message: z.string().max(1024).meta({ description: "Reason in a sentence." }),
    lastTransitionTime: time.meta({ description: "When the status last changed." }),
    observedGeneration: z.int().min(0).optional().meta({
      description: "The generation of the Scan that the condition describes.",
    }),
  })
  .meta({ description: "A step of the scan, or a summary of all steps." });
export type Condition = z.infer<typeof conditionSchema>;

const failureSchema = z
  .object({
    code: z.enum(SCAN_FAILURE_CODES).meta({ description: "The reason, as in GET /v1/scan/{id}." }),
    message: z.string().max(500).meta({ description: "The reason in a sentence." }),
  })
  .meta({ description: "Why the scan failed." });

/** What the controller has seen and done. It alone writes it. */
export const scanStatusSchema = z
  .object({
    phase: z.enum(PHASES).optional().meta({ description: "Summary of the conditions." }),
    reason: z
      .enum(REASON_NAMES)
      .optional()
      .meta({ description: "Reason of the decisive condition, for programs." }),
    message: z.string().max(1024).optional().meta({
      description:
        "Message of the decisive condition, including the API server's message if it rejected an object.",
    }),
    scanId: z
      .string()
      .max(63)
      .optional()
      .meta({ description: "Id of the scan in the API: GET /v1/scan/{id}." }),
    attempt: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "Number of the current attempt, from 1." }),
    canaryLosses: z.int().min(0).max(100).optional().meta({
      description: "Attempts whose proof of isolation did not count, because their canary was lost.",
    }),
    jobUid: z.string().max(63).optional().meta({
      description:
        "UID of the Job of the previous attempt. Its pods are deleted before another attempt starts.",
    }),
    startedAt: time.optional().meta({ description: "When the first Job was created." }),
    finishedAt: time.optional().meta({
      description: "When the scan ended. Its status does not change afterwards.",
    }),
    score: z.int().min(0).max(100).optional().meta({ description: "Overall score of a completed scan." }),
    grade: z.enum(GRADES).optional().meta({ description: "Grade of a completed scan." }),
    findings: z.int().min(0).optional().meta({ description: "Number of findings of a completed scan." }),
    failure: failureSchema.optional(),
    observedGeneration: z.int().min(-1).optional().meta({
      description:
        "The generation of the Scan that this status describes; -1 until the controller has observed it.",
    }),
    conditions: z
      .array(conditionSchema)
      .max(STEP_TYPES.length + SUMMARY_TYPES.length)
      .optional()
      .meta({
        description: `Steps: ${STEP_TYPES.join(", ")}. Summaries: ${SUMMARY_TYPES.join(", ")}.`,
      }),
  })
  .meta({
    description: "Observed state of the scan, written by the controller. The report itself is in the API.",
  });
export type ScanStatus = z.infer<typeof scanStatusSchema>;

/** A Scan without the fields that the API server adds. */
export interface ScanManifest {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: typeof KIND;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly spec: ScanSpec;
}

/** The object that another one is deleted with (meta/v1). */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** A Scan as the API server returns it. */
export interface ScanResource extends ScanManifest {
  readonly metadata: ScanManifest["metadata"] & {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly resourceVersion?: string;
  };
  readonly status?: ScanStatus;
}

interface Identified {
  readonly metadata: Pick<ScanResource["metadata"], "name" | "uid" | "creationTimestamp" | "labels">;
}

/** The Scan claims, by label and name, that the API created it for a row. The row has the uid, which decides. */
export const claimsRow = ({ metadata }: Identified): boolean =>
  metadata.labels?.[LABELS.managedBy] === API_NAME && isScanId(metadata.name);

/**
 * The id of a Scan in the store. A Scan that the API created has it as its name; the id of one that a user applied is derived from
 * its uid and creation time, so that it is adopted once.
 */
export function scanIdOf({ metadata }: Identified): string {
  if (claimsRow({ metadata })) return metadata.name;
  const digest = createHash("sha256").update(metadata.uid).digest();
  return newScanId(new Date(metadata.creationTimestamp), digest.subarray(0, 10));
}
