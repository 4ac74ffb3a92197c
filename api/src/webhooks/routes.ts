import {
  newWebhookSchema,
  webhookChangeSchema,
  webhookDeliverySchema,
  webhookInputSchema,
  webhookSchema,
} from "@glovebox/contract";
import * as z from "zod";
import type { Services } from "../deps.ts";
import { jsonResponse } from "../http/respond.ts";
import { createRoute, type Route } from "../http/route.ts";
import { WebhookCommands } from "./commands.ts";

const LISTED_DELIVERIES = 100;

const webhookParams = z.object({ id: z.uuid("No such webhook.") });
const deliveryParams = webhookParams.extend({ delivery: z.uuid("No such delivery.") });
const json = (schema: z.ZodType) => ({ type: "application/json", schema });
const read = { access: "key", scope: "webhooks:read" } as const;
const write = { access: "key", scope: "webhooks:write" } as const;

const createWebhook = createRoute({
  operationId: "createWebhook",
  method: "post",
  path: "/v1/webhooks",
  ...write,
  summary: "Create a webhook",
  description: "The response contains the secret, which is not shown again.",
  body: webhookInputSchema,
  response: { status: 200, description: "The webhook and its secret.", content: json(newWebhookSchema) },
  errors: ["invalid_request", "invalid_url", "payload_too_large", "unsupported_media_type"],
  handler: async ({ body, principal, actor }, services: Services) =>
    jsonResponse(await new WebhookCommands(services, { account: principal.account, actor }).create(body)),
});

const listWebhooks = createRoute({
  operationId: "listWebhooks",
  method: "get",
  path: "/v1/webhooks",
  ...read,
  summary: "List the account's webhooks",
  response: {
    status: 200,
    description: "All webhooks, oldest first.",
    content: json(z.object({ webhooks: z.array(webhookSchema) }).meta({ id: "WebhookList" })),
  },
  handler: async ({ principal, actor }, services: Services) =>
    jsonResponse({
      webhooks: await new WebhookCommands(services, { account: principal.account, actor }).list(),
    }),
});

const getWebhook = createRoute({
  operationId: "getWebhook",
  method: "get",
  path: "/v1/webhooks/{id}",
  ...read,
  summary: "Get a webhook",
  params: webhookParams,
  response: { status: 200, description: "The webhook.", content: json(webhookSchema) },
  errors: ["not_found"],
  handler: async ({ params, principal, actor }, services: Services) =>
    jsonResponse(await new WebhookCommands(services, { account: principal.account, actor }).get(params.id)),
});

const updateWebhook = createRoute({
  operationId: "updateWebhook",
  method: "patch",
  path: "/v1/webhooks/{id}",
  ...write,
  summary: "Change a webhook",
  description: "Omitted fields stay unchanged.",
  params: webhookParams,
  body: webhookChangeSchema,
  response: { status: 200, description: "The changed webhook.", content: json(webhookSchema) },
  errors: ["invalid_request", "invalid_url", "not_found", "payload_too_large", "unsupported_media_type"],
  handler: async ({ params, body, principal, actor }, services: Services) =>
    jsonResponse(
      await new WebhookCommands(services, { account: principal.account, actor }).update(params.id, body),
    ),
});

const rotateWebhookSecret = createRoute({
  operationId: "rotateWebhookSecret",
  method: "post",
  path: "/v1/webhooks/{id}/secret",
  ...write,
  summary: "Replace a webhook's secret",
  description: "For 24 hours deliveries are also signed with the old secret.",
  params: webhookParams,
  response: { status: 200, description: "The webhook and its new secret.", content: json(newWebhookSchema) },
  errors: ["not_found"],
  handler: async ({ params, principal, actor }, services: Services) =>
    jsonResponse(
      await new WebhookCommands(services, { account: principal.account, actor }).rotateSecret(params.id),
    ),
});

const deleteWebhook = createRoute({
  operationId: "deleteWebhook",
  method: "delete",
  path: "/v1/webhooks/{id}",
  ...write,
  summary: "Delete a webhook and its deliveries",
  params: webhookParams,
  response: { status: 204, description: "Deleted." },
  errors: ["not_found"],
  async handler({ params, principal, actor }, services: Services) {
    await new WebhookCommands(services, { account: principal.account, actor }).remove(params.id);
    return { status: 204 };
  },
});

const testWebhook = createRoute({
  operationId: "testWebhook",
  method: "post",
  path: "/v1/webhooks/{id}/test",
  ...write,
  summary: "Send a test event",
  params: webhookParams,
  response: { status: 200, description: "The enqueued delivery.", content: json(webhookDeliverySchema) },
  errors: ["invalid_request", "not_found"],
  handler: async ({ params, principal, actor }, services: Services) =>
    jsonResponse(await new WebhookCommands(services, { account: principal.account, actor }).test(params.id)),
});

const listDeliveries = createRoute({
  operationId: "listWebhookDeliveries",
  method: "get",
  path: "/v1/webhooks/{id}/deliveries",
  ...read,
  summary: "List the deliveries of a webhook, newest first",
  params: webhookParams,
  response: {
    status: 200,
    description: `The newest ${LISTED_DELIVERIES} deliveries.`,
    content: json(
      z.object({ deliveries: z.array(webhookDeliverySchema) }).meta({ id: "WebhookDeliveryList" }),
    ),
  },
  errors: ["not_found"],
  handler: async ({ params, principal, actor }, services: Services) =>
    jsonResponse({
      deliveries: await new WebhookCommands(services, { account: principal.account, actor }).deliveries(
        params.id,
        LISTED_DELIVERIES,
      ),
    }),
});

const sendDeliveryAgain = createRoute({
  operationId: "sendWebhookDeliveryAgain",
  method: "post",
  path: "/v1/webhooks/{id}/deliveries/{delivery}",
  ...write,
  summary: "Send a delivery again",
  description: "With the same event id and body, and with all attempts.",
  params: deliveryParams,
  response: { status: 200, description: "The enqueued delivery.", content: json(webhookDeliverySchema) },
  errors: ["invalid_request", "not_found"],
  handler: async ({ params, principal, actor }, services: Services) =>
    jsonResponse(
      await new WebhookCommands(services, { account: principal.account, actor }).sendAgain(
        params.id,
        params.delivery,
      ),
    ),
});

export const WEBHOOK_ROUTES: readonly Route<Services>[] = [
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  rotateWebhookSecret,
  deleteWebhook,
  testWebhook,
  listDeliveries,
  sendDeliveryAgain,
];
