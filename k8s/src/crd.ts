import * as z from "zod";
import { GROUP, KIND, PLURAL, SCAN_SCHEDULES, SCHEDULE_KIND, VERSION } from "./names.ts";
import { scanSpecSchema, scanStatusSchema } from "./scan-resource.ts";
import { MAX_SCHEDULE_NAME, scheduleSpecSchema, scheduleStatusSchema } from "./schedule-resource.ts";
import { toStructural, type StructuralSchema } from "./structural-schema.ts";

/** The CustomResourceDefinition `scans.glovebox.dev`, made from the schemas of the contract. */
export const buildScanCrd = () =>
  definition({
    kind: KIND,
    plural: PLURAL,
    shortName: "gscan",
    columns: SCAN_COLUMNS,
    description: "One scan of an HTTP API for security weaknesses, run as one isolated Job.",
    spec: scanSpec(structural(scanSpecSchema)),
    status: structural(scanStatusSchema),
    rule: IMMUTABLE_ONCE_ACCEPTED,
  });

/** The CustomResourceDefinition `scanschedules.glovebox.dev`. */
export function buildScheduleCrd() {
  const spec = structural(scheduleSpecSchema);
  scanSpec(spec.properties!["scanTemplate"]!.properties!["spec"]!);
  return definition({
    kind: SCHEDULE_KIND,
    plural: SCAN_SCHEDULES.plural,
    shortName: "gschedule",
    columns: SCHEDULE_COLUMNS,
    description: "Creates Scans at the times of a cron expression.",
    spec,
    status: structural(scheduleStatusSchema),
    rule: SHORT_NAME,
  });
}

interface Definition {
  readonly kind: string;
  readonly plural: string;
  readonly shortName: string;
  readonly columns: readonly object[];
  readonly description: string;
  readonly spec: StructuralSchema;
  readonly status: StructuralSchema;
  /** Of the whole object. */
  readonly rule: Rule;
}

interface Rule {
  readonly rule: string;
  readonly message: string;
}

function definition({ kind, plural, shortName, columns, rule, ...parts }: Definition) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: [shortName],
        categories: ["glovebox"],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schemaOf({ kind, rule, ...parts }) },
          subresources: { status: {} },
          additionalPrinterColumns: columns as { name: string; jsonPath: string; priority?: number }[],
        },
      ],
    },
  };
}

const schemaOf = ({
  kind,
  description,
  spec,
  status,
  rule,
}: Pick<Definition, "kind" | "description" | "spec" | "status" | "rule">): StructuralSchema => ({
  type: "object",
  description,
  required: ["spec"],
  properties: {
    apiVersion: {
      type: "string",
      description: "Version of the schema of this object: glovebox.dev/v1alpha1.",
    },
    kind: { type: "string", description: `Kind of this object: ${kind}.` },
    metadata: { type: "object" }, // described by Kubernetes: the schema may not add to it
    spec,
    status: withUnseenDefault(status),
  },
  "x-kubernetes-validations": [rule],
});

/** What `kubectl get scans` shows. */
const SCAN_COLUMNS = [
  { name: "Phase", type: "string", jsonPath: ".status.phase", description: "Summary of the conditions" },
  {
    name: "Reason",
    type: "string",
    jsonPath: ".status.reason",
    description: "Reason of the decisive condition",
  },
  { name: "Score", type: "integer", jsonPath: ".status.score", description: "Overall score, 0 to 100" },
  { name: "Grade", type: "string", jsonPath: ".status.grade", description: "A to F" },
  { name: "Findings", type: "integer", jsonPath: ".status.findings", description: "Number of findings" },
  { name: "Target", type: "string", jsonPath: ".spec.url", description: "What is scanned" },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", description: "Time since creation" },
  // With `kubectl get scans --output=wide`.
  {
    name: "Message",
    type: "string",
    jsonPath: ".status.message",
    description: "Message of the decisive condition",
    priority: 1,
  },
];

const ready = (field: string): string => `.status.conditions[?(@.type=="Ready")].${field}`;

/** What `kubectl get scanschedules` shows. */
const SCHEDULE_COLUMNS = [
  { name: "Schedule", type: "string", jsonPath: ".spec.schedule", description: "Cron expression" },
  { name: "Suspend", type: "boolean", jsonPath: ".spec.suspend", description: "Whether nothing starts" },
  {
    name: "Ready",
    type: "string",
    jsonPath: ready("status"),
    description: "Whether the spec can be used, and Scans complete",
  },
  { name: "Reason", type: "string", jsonPath: ready("reason"), description: "Reason of that" },
  { name: "Active", type: "integer", jsonPath: ".status.active", description: "Scans that have not ended" },
  { name: "Last", type: "date", jsonPath: ".status.lastRunTime", description: "Time since the last run" },
  {
    name: "Result",
    type: "string",
    jsonPath: ".status.lastResult",
    description: "Completed, or why the Scan that ended last failed",
  },
  { name: "Grade", type: "string", jsonPath: ".status.lastGrade", description: "A to F, of that Scan" },
  { name: "Next", type: "string", jsonPath: ".status.nextScheduleTime", description: "Time of the next run" },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", description: "Time since creation" },
  // With `kubectl get scanschedules --output=wide`.
  {
    name: "Target",
    type: "string",
    jsonPath: ".spec.scanTemplate.spec.url",
    description: "What is scanned",
    priority: 1,
  },
  {
    name: "Message",
    type: "string",
    jsonPath: ready("message"),
    description: "Why it is not ready",
    priority: 1,
  },
];

const IMMUTABLE_ONCE_ACCEPTED: Rule = {
  rule: "self.spec == oldSelf.spec || !has(oldSelf.status) || !has(oldSelf.status.conditions) || !oldSelf.status.conditions.exists(c, c.type == 'Accepted' && c.status == 'True')",
  message: "spec cannot be changed once the scan is accepted; create another Scan",
};
const SHORT_NAME: Rule = {
  rule: `size(self.metadata.name) <= ${MAX_SCHEDULE_NAME}`,
  message: `metadata.name must have at most ${MAX_SCHEDULE_NAME} characters: the names of its Scans begin with it`,
};
/** Whether plain HTTP may go to an address, only the controller knows. */
const HTTP: Rule = {
  rule: "self.lowerAscii().startsWith('https://') || self.lowerAscii().startsWith('http://')",
  message: "must be an https:// or http:// address",
};

function scanSpec(schema: StructuralSchema): StructuralSchema {
  for (const field of ["url", "specUrl"]) {
    schema.properties![field]!["x-kubernetes-validations"] = [HTTP];
  }
  return schema;
}

function withUnseenDefault(schema: StructuralSchema): StructuralSchema {
  Object.assign(schema.properties!["conditions"]!, {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
  });
  // An object that no controller has seen yet would pass for current, by the rules of kstatus.
  return { ...schema, default: { observedGeneration: -1 } };
}

const structural = (schema: z.ZodType): StructuralSchema =>
  toStructural(z.toJSONSchema(schema, { target: "openapi-3.0", io: "input" }));
