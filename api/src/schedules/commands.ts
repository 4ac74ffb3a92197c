import { randomUUID } from "node:crypto";
import { ApiError } from "@glovebox/contract";
import { MAX_SCHEDULES, type ScheduleItem, type ScheduleRun } from "@glovebox/contract/schedules";
import type { Account, Actor, Changing, RunRow, ScheduleRow, ScheduleTerms } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { NewSchedule, ScheduleChange } from "./bodies.ts";
import { identitiesOf } from "../identities/identity-source.ts";
import { problemsOf, signedInAs } from "./identities.ts";
import { minMinutesOf, nextRunAfter, requireTiming } from "./timing.ts";

type Parts = Pick<Services, "store" | "targetGuard" | "now">;

/**
 * The schedules of an account, with the rules that hold however a client asks: over `/v1` or the admin interface. Changes are in
 * the audit log.
 * @throws ApiError `forbidden` from the constructor where the plan has no schedules; from its methods `not_found`, `invalid_url` and
 * `invalid_request`
 */
export class ScheduleCommands {
  readonly #parts: Parts;
  readonly #account: Account;
  readonly #change: Changing;

  constructor(parts: Parts, { account, actor }: { readonly account: Account; readonly actor: Actor }) {
    minMinutesOf(account.plan);
    this.#parts = parts;
    this.#account = account;
    this.#change = parts.store.changing(actor, account.id);
  }

  async create(schedule: NewSchedule): Promise<ScheduleItem> {
    const { specUrl = null, context = null, include = null, exclude = null, identitySet = null } = schedule;
    const terms: ScheduleTerms = { ...schedule, specUrl, context, include, exclude, identitySet };
    const at = this.#parts.now();
    requireTiming(this.#account.plan, terms, at);
    await this.#checkTarget(terms);
    await identitiesOf(this.#parts, this.#account, signedInAs(terms));
    const id = randomUUID();
    const row = { ...terms, decidedUntil: at, nextRunAt: nextRunAfter({ id, ...terms }, at) };
    await this.#change(async ({ schedules }) => {
      if (!(await schedules.create(this.#account.id, id, row))) throw tooMany();
      const entry = { action: "schedule.create", subject: terms.name, after: { id, ...terms } };
      return { result: undefined, entry };
    });
    return this.get(id);
  }

  /** Oldest first. */
  async list(): Promise<ScheduleItem[]> {
    const rows = await this.#parts.store.schedules.list(this.#account.id);
    return this.#shown(rows);
  }

  async get(id: string): Promise<ScheduleItem> {
    const [shown] = await this.#shown([await this.#find(id)]);
    return shown!;
  }

  async update(id: string, change: ScheduleChange): Promise<ScheduleItem> {
    if (TARGET.some((field) => change[field] !== undefined)) {
      const after = changed(termsOf(await this.#find(id)), change);
      await this.#checkTarget(after);
      await identitiesOf(this.#parts, this.#account, signedInAs(after));
    }
    await this.#change(async ({ schedules }) => {
      const row = found(await schedules.lock(this.#account.id, id));
      const [before, at] = [termsOf(row), this.#parts.now()];
      const after = changed(before, change);
      requireTiming(this.#account.plan, after, at);
      const isLater = hasNewTiming(before, after) && at > row.decidedUntil;
      const decidedUntil = isLater ? at : row.decidedUntil;
      const nextRunAt = nextRunAfter({ id, ...after }, decidedUntil);
      await schedules.update(id, { ...after, decidedUntil, nextRunAt });
      const entry = { action: "schedule.update", subject: after.name };
      return { result: undefined, entry: { ...entry, before: { id, ...before }, after: { id, ...after } } };
    });
    return this.get(id);
  }

  remove(id: string): Promise<void> {
    return this.#change(async ({ schedules }) => {
      const before = termsOf(found(await schedules.lock(this.#account.id, id)));
      await schedules.remove(id);
      const entry = { action: "schedule.delete", subject: before.name, before: { id, ...before } };
      return { result: undefined, entry };
    });
  }

  /** Newest first. */
  async runs(id: string): Promise<ScheduleRun[]> {
    await this.#find(id);
    return (await this.#parts.store.scheduleRuns.list(id)).map(toRun);
  }

  async #find(id: string): Promise<ScheduleRow> {
    return found(await this.#parts.store.schedules.get(this.#account.id, id));
  }

  async #shown(rows: readonly ScheduleRow[]): Promise<ScheduleItem[]> {
    const problems = await problemsOf(this.#parts, this.#account, rows);
    return rows.map((row) => toSchedule(row, problems.get(row.id) ?? null));
  }

  async #checkTarget({ url, specUrl }: Pick<ScheduleTerms, "url" | "specUrl">): Promise<void> {
    const { targetGuard } = this.#parts;
    const request = { url, ...(specUrl !== null && { specUrl }) };
    const { id } = this.#account;
    if (targetGuard.judge(request, id) === "lookUp") await targetGuard.lookUp(request, id);
  }
}

/** Changes that are checked with the target. */
const TARGET = ["url", "specUrl", "identitySet"] as const;

/** Then only runs from now on count: none is due immediately, and none was missed. */
const hasNewTiming = (before: ScheduleTerms, after: ScheduleTerms): boolean =>
  before.schedule !== after.schedule ||
  before.timeZone !== after.timeZone ||
  before.suspend !== after.suspend;

function changed(terms: ScheduleTerms, change: ScheduleChange): ScheduleTerms {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...terms, ...(Object.fromEntries(given) as Partial<ScheduleTerms>) };
}

const tooMany = (): ApiError =>
  new ApiError("invalid_request", `The account has ${MAX_SCHEDULES} schedules; delete one first.`);

function found(row: ScheduleRow | undefined): ScheduleRow {
  if (row === undefined) throw new ApiError("not_found", "No such schedule.");
  return row;
}

const termsOf = (row: ScheduleRow): ScheduleTerms => {
  const { name, url, specUrl, context, include, exclude, identitySet, historyLimit, ...rest } = row;
  const { schedule, timeZone, jitterSeconds, startingDeadlineSeconds, concurrencyPolicy, suspend } = rest;
  const timing = { schedule, timeZone, jitterSeconds, startingDeadlineSeconds, concurrencyPolicy, suspend };
  return { name, url, specUrl, context, include, exclude, identitySet, ...timing, historyLimit };
};

const toSchedule = (row: ScheduleRow, problem: string | null): ScheduleItem => ({
  id: row.id,
  ...termsOf(row),
  createdAt: row.createdAt.toISOString(),
  nextRunAt: textOf(row.nextRunAt),
  missedRuns: row.missedRuns,
  problem,
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
