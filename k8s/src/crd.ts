import * as z from "zod";
import { GROUP, KIND, PLURAL, VERSION } from "./names.ts";
import { scanSpecSchema, scanStatusSchema } from "./scan-resource.ts";
import { toStructural, type StructuralSchema } from "./structural-schema.ts";

/** The CustomResourceDefinition `scans.glovebox.dev`, made from the schemas of the contract. */
export function buildScanCrd() {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${PLURAL}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: {
        kind: KIND,
        listKind: `${KIND}List`,
        plural: PLURAL,
        singular: "scan",
        shortNames: ["gscan"],
        categories: ["glovebox"],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: crdSchema() },
          subresources: { status: {} },
          additionalPrinterColumns: PRINTER_COLUMNS,
        },
      ],
    },
  };
}

/** What `kubectl get scans` shows. */
const PRINTER_COLUMNS = [
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

const IMMUTABLE_ONCE_ACCEPTED = {
  rule: "self.spec == oldSelf.spec || !has(oldSelf.status) || !has(oldSelf.status.conditions) || !oldSelf.status.conditions.exists(c, c.type == 'Accepted' && c.status == 'True')",
  message: "spec cannot be changed once the scan is accepted; create another Scan",
};
const HTTPS_ONLY = { rule: "self.lowerAscii().startsWith('https://')", message: "must be HTTPS" };

function crdSchema(): StructuralSchema {
  return {
    type: "object",
    description: "One scan of an HTTP API for security weaknesses, run as one sealed Job.",
    required: ["spec"],
    properties: {
      apiVersion: {
        type: "string",
        description: "Version of the schema of this object: glovebox.dev/v1alpha1.",
      },
      kind: { type: "string", description: "Kind of this object: Scan." },
      metadata: { type: "object" }, // described by Kubernetes: the schema may not add to it
      spec: specSchema(),
      status: statusSchema(),
    },
    "x-kubernetes-validations": [IMMUTABLE_ONCE_ACCEPTED],
  };
}

function specSchema(): StructuralSchema {
  const schema = structural(scanSpecSchema);
  for (const field of ["url", "specUrl"]) {
    schema.properties![field]!["x-kubernetes-validations"] = [HTTPS_ONLY];
  }
  return schema;
}

function statusSchema(): StructuralSchema {
  const schema = structural(scanStatusSchema);
  Object.assign(schema.properties!["conditions"]!, {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
  });
  // A Scan that no controller has seen yet would pass for current, by the rules of kstatus.
  return { ...schema, default: { observedGeneration: -1 } };
}

const structural = (schema: z.ZodType): StructuralSchema =>
  toStructural(z.toJSONSchema(schema, { target: "openapi-3.0", io: "input" }));
