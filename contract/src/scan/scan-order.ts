import * as z from "zod";
import { locationSchema } from "../report/finding.ts";
import { scanModeSchema } from "../report/journal.ts";
import { expectationsSchema } from "./expectations.ts";
import { identitiesSchema } from "./identities.ts";
import { resumptionSchema } from "./noted-write.ts";
import { operationFiltersSchema } from "./operation-filter.ts";
import { CONTEXTS } from "./scan.ts";

/** Largest OpenAPI document that a scan reads, fetched or submitted, in bytes. */
export const MAX_SPEC_BYTES = 16 * 1024 * 1024;

/** The host of a URL as sockets, certificates and pins use it: without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: Pick<URL, "hostname">): string => hostname.replace(/^\[(.*)\]$/, "$1");

export const endpointSchema = z.object({
  address: z.union([z.ipv4(), z.ipv6()]),
  port: z.int().min(1).max(65_535),
});
export type Endpoint = z.infer<typeof endpointSchema>;

/** A host, and the only addresses and ports at which the scanner may reach it. Resolved once, by the creator of the order. */
export const pinSchema = z.object({
  host: z.string().meta({ description: "As `hostOf` gives it" }),
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .min(1)
    .max(16),
  ports: z.array(z.int().min(1).max(65_535)).min(1),
  omitted: z.int().min(1).optional().meta({ description: "How many addresses of the host were left out" }),
  backends: z.array(endpointSchema).optional().meta({
    description:
      "Where the addresses are forwarded to, if they are cluster IPs of a Service: the network policy also allows these. Not in orders",
  }),
});
export type Pin = z.infer<typeof pinSchema>;

/** Notes on the pins for the report, one sentence each. */
export const notesOnPins = (pins: readonly Pin[]): string[] =>
  pins.flatMap(({ host, addresses, omitted = 0 }) =>
    omitted === 0
      ? []
      : [
          `The host ${host} has ${addresses.length + omitted} addresses; the scan used ${addresses.length} of them.`,
        ],
  );

export type AddressFamily = "IPv4" | "IPv6";
export const familyOf = (address: string): AddressFamily => (address.includes(":") ? "IPv6" : "IPv4");

/** The proof of isolation that the scanner must give before its first request: it cannot reach the canary, which any other pod can. */
export const isolationOrderSchema = z.object({
  canaries: z.array(endpointSchema).min(1).max(2).meta({
    description: "Where the canary listens: one endpoint for each address family that it has",
  }),
  controlEndpoints: z.array(endpointSchema).max(2).meta({
    description:
      "Unassigned control addresses, one endpoint for each family: a pod without isolation gets no response there, so a refusal comes from the network",
  }),
  waitSeconds: z.int().min(1).max(600).meta({ description: "How long the policy may take to take effect" }),
});
export type IsolationOrder = z.infer<typeof isolationOrderSchema>;

/** Requests that a scan may be allowed. */
export const MAX_REQUESTS = 100_000;

/** The order of a scanner, on stdin or in a file. It contains no secret of the service; the secrets of `identities` are its only ones. */
export const scanOrderSchema = z.object({
  scanId: z.string(),
  url: z.string(),
  spec: z
    .discriminatedUnion("from", [
      z.object({ from: z.literal("url"), url: z.string() }),
      z.object({ from: z.literal("text"), text: z.string().max(MAX_SPEC_BYTES) }),
    ])
    .optional(),
  needsSpec: z.literal(true).optional().meta({
    description: "The scan fails if the document cannot be used, instead of continuing without it",
  }),
  context: z.enum(CONTEXTS).optional(),
  mode: scanModeSchema.optional().meta({ description: "Default: `safe`" }),
  resumption: resumptionSchema
    .optional()
    .meta({ description: "Of an active scan that may have several attempts" }),
  pins: z.array(pinSchema).min(1),
  extraCa: z
    .string()
    .optional()
    .meta({ description: "Certificates (PEM) trusted in addition to the system's" }),
  isolation: isolationOrderSchema
    .optional()
    .meta({ description: "Present if a network policy isolates the scanner" }),
  identities: identitiesSchema.optional().meta({
    description:
      "Callers with credentials. On Kubernetes they are in a mounted file instead, never in the order",
  }),
  expectations: expectationsSchema
    .optional()
    .meta({ description: "What roles and identities must and must not reach" }),
  include: operationFiltersSchema
    .optional()
    .meta({ description: "If given, only these operations are called" }),
  exclude: operationFiltersSchema.optional().meta({ description: "Operations that are not called" }),
  only: z
    .array(z.object({ check: z.string(), location: locationSchema }))
    .max(10_000)
    .optional()
    .meta({ description: "If given, only these checks run, on these subjects only" }),
  plan: z
    .literal(true)
    .optional()
    .meta({ description: "Print what would be tested, and send only the requests that read the document" }),
  limits: z.object({
    deadlineSeconds: z.number().min(1).max(3600),
    maxRequests: z.int().min(1).max(MAX_REQUESTS),
    requestsPerOperation: z.int().min(1).max(1_000).optional().meta({
      description:
        "Requests for each operation of the target, where they are more than `maxRequests` together",
    }),
    maxRequestsPerOperation: z.int().min(10).max(1_000).optional().meta({
      description:
        "Confirmations of findings and bursts are not counted. Default: 90, and more where requests and time are left",
    }),
  }),
});
export type ScanOrder = z.infer<typeof scanOrderSchema>;

export const DEFAULT_LIMITS = {
  deadlineSeconds: 300,
  maxRequests: 5_000,
  requestsPerOperation: 20,
} satisfies ScanOrder["limits"];
