import { type Plan, PLAN_NAMES } from "@glovebox/contract";

export const DEFAULT_RETENTION_DAYS = 90;
export const MAX_RETENTION_DAYS = 3650;
const RANGE = `a whole number from 1 to ${MAX_RETENTION_DAYS}`;

type RetentionDays = Readonly<Record<Plan, number>>;

/**
 * Days by plan: of all plans (`90`), or of those named (`free=30,pro=365`) and the default of the others.
 * @throws Error whose message says what is wrong
 */
export function parseRetentionDays(text: string): RetentionDays {
  if (!text.includes("="))
    return ofEach(daysOf(text, `must be ${RANGE}, or such a number for each plan, such as free=30,pro=365`));
  const named = new Map<Plan, number>();
  for (const part of text.split(",")) {
    const [name = "", days = "", ...rest] = part.trim().split("=");
    const plan = PLAN_NAMES.find((known) => known === name.trim());
    if (!plan) throw new Error(`"${name.trim()}" is no plan; there are ${PLAN_NAMES.join(", ")}`);
    if (named.has(plan)) throw new Error(`${plan} is there twice`);
    named.set(plan, daysOf(rest.length === 0 ? days.trim() : "", `${plan} must be ${RANGE}`));
  }
  return { ...ofEach(DEFAULT_RETENTION_DAYS), ...Object.fromEntries(named) };
}

const ofEach = (days: number): RetentionDays =>
  Object.fromEntries(PLAN_NAMES.map((plan) => [plan, days])) as RetentionDays;

function daysOf(text: string, error: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_RETENTION_DAYS) throw new Error(error);
  return days;
}
