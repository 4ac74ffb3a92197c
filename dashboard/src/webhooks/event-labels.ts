import type { WebhookDelivery, WebhookEvent } from "@glovebox/contract";

/** What a webhook may be called for. */
export const EVENT_LABELS: Record<WebhookEvent, string> = {
  "scan.completed": "Scan completed",
  "scan.failed": "Scan failed",
  "scan.regressed": "Scan regressed",
};

export const DELIVERED_LABELS: Record<WebhookDelivery["event"], string> = {
  ...EVENT_LABELS,
  "webhook.test": "Test",
};
