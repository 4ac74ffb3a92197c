import * as z from "zod";
import { CONFIDENCES, SEVERITIES } from "./severities.ts";
import { CATEGORY_KEYS } from "./categories.ts";

/** One request and its response, with secrets masked and bodies cut. `role` is the purpose of the request. */
export const exchangeSchema = z
  .object({
    role: z.enum(["baseline", "control", "attack", "repeat"]).meta({
      description:
        "`attack` is the attacking request, `control` a similar request that must get a different response",
    }),
    request: z.object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string().optional(),
      caller: z.string().max(32).optional().meta({
        description:
          "The identity that sent it, without whose credentials it is shown, or `anonymous`. Absent in scans without identities",
      }),
    }),
    response: z.object({
      status: z
        .int()
        .min(0)
        .max(999)
        .meta({ description: "HTTP status; 0 where there is none, as for a TLS handshake" }),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  })
  .meta({ id: "Exchange" });
export type Exchange = z.infer<typeof exchangeSchema>;

export const evidenceSchema = z
  .object({
    rule: z.string().meta({ description: "The rule that decided, in one sentence" }),
    exchanges: z.array(exchangeSchema).max(12),
    curl: z.string().meta({ description: "A command that reproduces the attack" }),
    pointer: z.string().optional().meta({
      description:
        "JSON pointer (RFC 6901) into the OpenAPI document, where the finding was read there and nothing was sent",
    }),
  })
  .meta({ id: "Evidence" });
export type Evidence = z.infer<typeof evidenceSchema>;

export const locationSchema = z
  .object({ method: z.string(), path: z.string(), parameter: z.string().optional() })
  .meta({ id: "Location", description: "Where in the API; `path` is the template where one is known" });
export type Location = z.infer<typeof locationSchema>;

export const referencesSchema = z
  .object({
    cwe: z.int().min(1).max(99_999).optional(),
    owasp: z
      .string()
      .optional()
      .meta({ description: "OWASP API Security Top 10 2023 or LLM Top 10 2026 entry" }),
    cvss: z.string().optional().meta({ description: "CVSS 4.0 base vector" }),
  })
  .meta({ id: "References" });
export type References = z.infer<typeof referencesSchema>;

/** One location at which a weakness was seen, by one check. */
export const instanceSchema = z
  .object({
    id: z.string().meta({
      description: "Derived from the check and the location: stable across scans of the same target",
    }),
    check: z.string(),
    category: z.enum(CATEGORY_KEYS),
    title: z.string(),
    severity: z.enum(SEVERITIES),
    confidence: z.enum(CONFIDENCES),
    location: locationSchema,
    subject: locationSchema
      .optional()
      .meta({ description: "What the check examined, if it observed the weakness elsewhere" }),
    observed: z.string().meta({ description: "What was observed here" }),
    evidence: evidenceSchema,
  })
  .meta({ id: "Instance" });
export type Instance = z.infer<typeof instanceSchema>;

/** A finding inside a category result: the fields of the specification and of docs/decisions.md, "Shapes". */
export const categoryFindingSchema = z
  .object({
    severity: z.enum(SEVERITIES),
    title: z.string(),
    description: z.string(),
    remediation: z.string(),
    id: z.string().meta({ description: "Derived from the weakness: stable across scans of the same target" }),
    check: z.string().meta({ description: "The check that found it, as in docs/checks" }),
    confidence: z.enum(CONFIDENCES),
    location: locationSchema.meta({ description: "The first location where it was observed" }),
    subject: instanceSchema.shape.subject,
    observed: z.string().optional().meta({ description: "What was observed there" }),
    explanation: z.string().optional().meta({
      description:
        "What the weakness is, wherever it is seen: `description` without what was seen. None in reports of older releases",
    }),
    evidence: evidenceSchema,
    instances: z.array(instanceSchema).optional().meta({
      description: "All locations, including the first, if it was observed at several or by several checks",
    }),
    references: referencesSchema,
    alsoAffects: z.array(z.enum(CATEGORY_KEYS)).optional().meta({
      description:
        "Other categories that locations of the finding belong to; their findings and scores include it",
    }),
  })
  .meta({ id: "CategoryFinding" });
export type CategoryFinding = z.infer<typeof categoryFindingSchema>;

/** A finding in the top-level list, which also names its category. */
export const findingSchema = categoryFindingSchema
  .extend({ category: z.enum(CATEGORY_KEYS) })
  .meta({ id: "Finding" });
export type Finding = z.infer<typeof findingSchema>;
