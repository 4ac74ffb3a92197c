import { randomUUID } from "node:crypto";
import { ApiError } from "@glovebox/contract";
import { MAX_SCHEDULES, type ScheduleItem, type ScheduleRun } from "@glovebox/contract/schedules";
import type { Account, Actor, RunRow, ScheduleRow, ScheduleTerms, Tables } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { NewSchedule, ScheduleChange } from "./bodies.ts";
import { leastMinutesOf, nextRunAfter, requireTiming } from "./timing.ts";

type Parts = Pick<Services, "store" | "targetGuard" | "now">;

/** The schedules of an account, with the rules that hold however a client asks: over `/v1` or the admin interface. */
export interface ScheduleCommands {
  create(input: NewSchedule): Promise<ScheduleItem>;
  /** Oldest first. */
  list(): Promise<ScheduleItem[]>;
  get(id: string): Promise<ScheduleItem>;
  update(id: string, change: ScheduleChange): Promise<ScheduleItem>;
  remove(id: string): Promise<void>;
  /** Newest first. */
  runs(id: string): Promise<ScheduleRun[]>;
}

/**
 * Changes by an actor are in the audit log.
 * @throws ApiError `forbidden` from this function where the plan has no schedules; from its methods `not_found`, `invalid_url` and
 * `invalid_request`
 */
// oxlint-disable-next-line max-lines-per-function -- the methods of one object
export function scheduleCommands(
  { store, targetGuard, now }: Parts,
  { id: accountId, plan }: Account,
  actor?: Actor,
): ScheduleCommands {
  leastMinutesOf(plan);
  const get = async (id: string): Promise<ScheduleRow> => found(await store.schedules.get(accountId, id));
  const checkTarget = async ({ url, specUrl }: Pick<ScheduleTerms, "url" | "specUrl">): Promise<void> => {
    const request = { url, ...(specUrl !== null && { specUrl }) };
    if (targetGuard.judge(request, accountId) === "lookUp") await targetGuard.lookUp(request, accountId);
  };

  const write = (task: (schedules: Tables["schedules"]) => Promise<Change>): Promise<void> =>
    store.transaction(async ({ schedules, audit }) => {
      const { action, name, before, after } = await task(schedules);
      const entry = { accountId, action: `schedule.${action}`, subject: name, before, after };
      if (actor) await audit.write(actor, entry);
    });

  return {
    async create({ specUrl = null, context = null, ...input }) {
      const terms: ScheduleTerms = { ...input, specUrl, context };
      const at = now();
      requireTiming(plan, terms, at);
      await checkTarget(terms);
      const id = randomUUID();
      const given = { ...terms, decidedUntil: at, nextRunAt: nextRunAfter({ id, ...terms }, at) };
      await write(async (schedules) => {
        if (!(await schedules.create(accountId, id, given))) throw tooMany();
        return { action: "create", name: terms.name, after: { id, ...terms } };
      });
      return toSchedule(await get(id));
    },
    list: async () => (await store.schedules.list(accountId)).map(toSchedule),
    get: async (id) => toSchedule(await get(id)),
    async update(id, change) {
      if (change.url !== undefined || change.specUrl !== undefined)
        await checkTarget(changed(termsOf(await get(id)), change));
      await write(async (schedules) => {
        const row = found(await schedules.lock(accountId, id));
        const [before, at] = [termsOf(row), now()];
        const after = changed(before, change);
        requireTiming(plan, after, at);
        const isLater = isTimedAnew(before, after) && at > row.decidedUntil;
        const decidedUntil = isLater ? at : row.decidedUntil;
        const nextRunAt = nextRunAfter({ id, ...after }, decidedUntil);
        await schedules.update(id, { ...after, decidedUntil, nextRunAt });
        return { action: "update", name: after.name, before: { id, ...before }, after: { id, ...after } };
      });
      return toSchedule(await get(id));
    },
    remove: (id) =>
      write(async (schedules) => {
        const before = termsOf(found(await schedules.lock(accountId, id)));
        await schedules.remove(id);
        return { action: "delete", name: before.name, before: { id, ...before } };
      }),
    async runs(id) {
      await get(id);
      return (await store.scheduleRuns.list(id)).map(toRun);
    },
  };
}

/** For the audit log. */
interface Change {
  readonly action: "create" | "update" | "delete";
  readonly name: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** Then only runs from now on count: none is due at once, and none was missed. */
const isTimedAnew = (before: ScheduleTerms, after: ScheduleTerms): boolean =>
  before.schedule !== after.schedule ||
  before.timeZone !== after.timeZone ||
  before.suspend !== after.suspend;

function changed(terms: ScheduleTerms, change: ScheduleChange): ScheduleTerms {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...terms, ...(Object.fromEntries(given) as Partial<ScheduleTerms>) };
}

const tooMany = (): ApiError =>
  new ApiError("invalid_request", `The account has ${MAX_SCHEDULES} schedules; remove one first.`);

function found(row: ScheduleRow | undefined): ScheduleRow {
  if (row === undefined) throw new ApiError("not_found", "No such schedule.");
  return row;
}

const termsOf = (row: ScheduleRow): ScheduleTerms => {
  const { name, url, specUrl, context, historyLimit, ...rest } = row;
  const { schedule, timeZone, jitterSeconds, startingDeadlineSeconds, concurrencyPolicy, suspend } = rest;
  const timing = { schedule, timeZone, jitterSeconds, startingDeadlineSeconds, concurrencyPolicy, suspend };
  return { name, url, specUrl, context, ...timing, historyLimit };
};

const toSchedule = (row: ScheduleRow): ScheduleItem => ({
  id: row.id,
  ...termsOf(row),
  createdAt: row.createdAt.toISOString(),
  nextRunAt: textOf(row.nextRunAt),
  missedRuns: row.missedRuns,
  lastRun: row.lastRun && toRun(row.lastRun),
});

const toRun = (row: RunRow): ScheduleRun => ({
  ...row,
  scheduledAt: textOf(row.scheduledAt),
  decidedAt: row.decidedAt.toISOString(),
  reason: row.outcome === "missed" ? MISSED : row.reason,
});

const MISSED = "The service did not start it within its deadline, or a later run was due by then.";

const textOf = (moment: Date | null): string | null => moment && moment.toISOString();
