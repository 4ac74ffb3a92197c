import { scheduleRunSchema, scheduleSchema } from "@glovebox/contract/schedules";
import * as z from "zod";
import type { Services } from "../deps.ts";
import { jsonResponse } from "../http/respond.ts";
import { createRoute, type Route } from "../http/route.ts";
import { newScheduleBody, scheduleChangeBody } from "./bodies.ts";
import { ScheduleCommands } from "./commands.ts";

const scheduleParams = z.object({ id: z.uuid("No such schedule.") });
const json = (schema: z.ZodType) => ({ type: "application/json", schema });
const read = { access: "key", scope: "schedules:read" } as const;
const write = { access: "key", scope: "schedules:write" } as const;
const fieldErrors = { url: "invalid_url", specUrl: "invalid_url", context: "invalid_context" } as const;
const bodyErrors = [
  "invalid_request",
  "invalid_url",
  "invalid_context",
  "payload_too_large",
  "unsupported_media_type",
] as const;

const createSchedule = createRoute({
  operationId: "createSchedule",
  method: "post",
  path: "/v1/schedules",
  ...write,
  summary: "Create a schedule",
  description:
    "Starts a scan at each time of the cron expression. Pro: at most one an hour; Enterprise: one every 15 minutes.",
  body: newScheduleBody,
  fieldErrors,
  response: { status: 200, description: "The schedule.", content: json(scheduleSchema) },
  errors: [...bodyErrors],
  handler: async ({ body, principal, actor }, services: Services) =>
    jsonResponse(await new ScheduleCommands(services, { account: principal.account, actor }).create(body)),
});

const listSchedules = createRoute({
  operationId: "listSchedules",
  method: "get",
  path: "/v1/schedules",
  ...read,
  summary: "List the account's schedules",
  response: {
    status: 200,
    description: "All schedules, oldest first.",
    content: json(z.object({ schedules: z.array(scheduleSchema) }).meta({ id: "ScheduleList" })),
  },
  handler: async ({ principal, actor }, services: Services) =>
    jsonResponse({
      schedules: await new ScheduleCommands(services, { account: principal.account, actor }).list(),
    }),
});

const getSchedule = createRoute({
  operationId: "getSchedule",
  method: "get",
  path: "/v1/schedules/{id}",
  ...read,
  summary: "Get a schedule",
  params: scheduleParams,
  response: { status: 200, description: "The schedule.", content: json(scheduleSchema) },
  errors: ["not_found"],
  handler: async ({ params, principal, actor }, services: Services) =>
    jsonResponse(await new ScheduleCommands(services, { account: principal.account, actor }).get(params.id)),
});

const updateSchedule = createRoute({
  operationId: "updateSchedule",
  method: "patch",
  path: "/v1/schedules/{id}",
  ...write,
  summary: "Change, suspend or resume a schedule",
  description:
    "Omitted fields stay unchanged. After a change of the time, or after a suspension, only runs from now on count.",
  params: scheduleParams,
  body: scheduleChangeBody,
  fieldErrors,
  response: { status: 200, description: "The changed schedule.", content: json(scheduleSchema) },
  errors: [...bodyErrors, "not_found"],
  handler: async ({ params, body, principal, actor }, services: Services) =>
    jsonResponse(
      await new ScheduleCommands(services, { account: principal.account, actor }).update(params.id, body),
    ),
});

const deleteSchedule = createRoute({
  operationId: "deleteSchedule",
  method: "delete",
  path: "/v1/schedules/{id}",
  ...write,
  summary: "Delete a schedule and the list of its runs",
  description: "Its scans are kept.",
  params: scheduleParams,
  response: { status: 204, description: "Deleted." },
  errors: ["not_found"],
  async handler({ params, principal, actor }, services: Services) {
    await new ScheduleCommands(services, { account: principal.account, actor }).remove(params.id);
    return { status: 204 };
  },
});

const listScheduleRuns = createRoute({
  operationId: "listScheduleRuns",
  method: "get",
  path: "/v1/schedules/{id}/runs",
  ...read,
  summary: "List the runs of a schedule, newest first",
  params: scheduleParams,
  response: {
    status: 200,
    description: "The last runs, up to the history limit.",
    content: json(z.object({ runs: z.array(scheduleRunSchema) }).meta({ id: "ScheduleRunList" })),
  },
  errors: ["not_found"],
  handler: async ({ params, principal, actor }, services: Services) =>
    jsonResponse({
      runs: await new ScheduleCommands(services, { account: principal.account, actor }).runs(params.id),
    }),
});

export const SCHEDULE_ROUTES: readonly Route<Services>[] = [
  createSchedule,
  listSchedules,
  getSchedule,
  updateSchedule,
  deleteSchedule,
  listScheduleRuns,
];
