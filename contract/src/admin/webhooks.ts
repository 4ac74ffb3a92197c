import * as z from "zod";
import { CATEGORY_KEYS } from "../report/categories.ts";
import { scanFailureSchema } from "../scan/failure.ts";
import { locationSchema } from "../report/finding.ts";
import { SEVERITIES } from "../report/severities.ts";
import { scanSummarySchema } from "../scan/scan.ts";
import { MAX_URL_LENGTH } from "../scan/target-url.ts";
import { inputText } from "../text-input.ts";

/** What a webhook may be called for (docs/decisions.md, "Events"). */
export const WEBHOOK_EVENTS = ["scan.completed", "scan.failed", "scan.regressed"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** `failed`: given up after 24 hours, because the webhook was disabled, or because the plan no longer includes webhooks. */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Webhooks of one account. */
export const MAX_WEBHOOKS = 20;
/** Findings that an event lists. */
export const MAX_LISTED_FINDINGS = 50;

const timestamp = z.iso.datetime();
const completedScan = scanSummarySchema.extend({ completedAt: timestamp });
const worsening = z.object({
  change: z.enum(["new", "moreSevere"]),
  id: z.string(),
  check: z.string(),
  title: z.string(),
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORY_KEYS),
  location: locationSchema,
});

const eventOf = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp, data });

/** The body of a delivery: the type, when it happened, and its data (Standard Webhooks, "Payload structure"). */
export const webhookPayloadSchema = z
  .discriminatedUnion("type", [
    eventOf("scan.completed", completedScan),
    eventOf("scan.failed", scanSummarySchema.extend({ completedAt: timestamp, error: scanFailureSchema })),
    eventOf(
      "scan.regressed",
      z.object({
        scan: completedScan,
        previous: completedScan.meta({ description: "The previous completed scan of the same URL" }),
        lowerGrade: z.boolean(),
        total: z.int().min(0).meta({ description: "Locations with a new or more severe weakness" }),
        findings: z
          .array(worsening)
          .max(MAX_LISTED_FINDINGS)
          .meta({ description: "The most severe of them" }),
      }),
    ),
    eventOf("webhook.test", z.object({ message: z.string() })),
  ])
  .meta({ id: "WebhookPayload" });
export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;

const events = z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length);
const MAX_DESCRIPTION = 200;

export const webhookSchema = z
  .object({
    id: z.uuid(),
    url: z.string().max(MAX_URL_LENGTH).meta({ format: "uri", description: "HTTPS" }),
    description: z.string().max(MAX_DESCRIPTION).nullable(),
    events,
    createdAt: timestamp,
    previousSecretUntil: timestamp
      .nullable()
      .meta({ description: "Until then each delivery is also signed with the previous secret" }),
    failingSince: timestamp.nullable().meta({ description: "The first failure since the last success" }),
    disabledAt: timestamp.nullable(),
    disabledReason: z.string().nullable(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhookSchema>;

/** With its secret, which is shown once. */
export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().meta({ description: "Verifies deliveries; shown only now" }) })
  .meta({ id: "NewWebhook" });
export type NewWebhook = z.infer<typeof newWebhookSchema>;

export const webhookDeliverySchema = z
  .object({
    id: z.uuid(),
    eventId: z.string().meta({ description: "The `webhook-id` header: the same for each attempt" }),
    event: z.enum([...WEBHOOK_EVENTS, "webhook.test"]),
    scanId: z.string().nullable(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int().min(0),
    nextAttemptAt: timestamp.nullable(),
    lastStatus: z.int().nullable().meta({ description: "HTTP status of the last attempt" }),
    lastError: z.string().nullable(),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

/** What a client may set; its URL is read by `readTargetUrl`. */
export const webhookInputSchema = z.strictObject({
  url: webhookSchema.shape.url,
  events,
  description: inputText.max(MAX_DESCRIPTION).optional(),
});
export type WebhookInput = z.infer<typeof webhookInputSchema>;

export const webhookChangeSchema = webhookInputSchema.partial().extend({
  enabled: z
    .boolean()
    .optional()
    .meta({ description: "false stops deliveries; true starts them again after failures" }),
});
export type WebhookChange = z.infer<typeof webhookChangeSchema>;
