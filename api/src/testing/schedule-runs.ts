import { createEgressPolicy } from "@glovebox/egress";
import type { ScheduleTerms, Store } from "@glovebox/store";
import type { ScanLauncher } from "../deps.ts";
import { createApiMetrics } from "../observability.ts";
import type { Submitting } from "../scans/submit-scan.ts";
import { DnsLookups, createTargetGuard } from "../scans/target-guard.ts";
import { nextRunAfter } from "../schedules/timing.ts";

/** Ids of scans that were launched and cancelled. */
export interface Calls {
  readonly launched: string[];
  readonly cancelled: string[];
}

interface Surroundings {
  readonly store: Store;
  readonly calls: Calls;
  /** Of every name. */
  readonly addresses: () => Promise<string[]>;
  readonly now: () => Date;
}

/** What a process of the API submits with. */
export function submittingWith({ store, calls, addresses, now }: Surroundings): Submitting {
  const launcher: ScanLauncher = {
    launch: async ({ id }) => void calls.launched.push(id),
    cancel: async (id) => void calls.cancelled.push(id),
  };
  const lookups = new DnsLookups(addresses, { perAccount: 20, total: 100 });
  const logger = { warn: () => undefined } as unknown as Submitting["logger"];
  const targetGuard = createTargetGuard({ policy: createEgressPolicy(), allow: [], lookups, now });
  return { store, launcher, logger, targetGuard, metrics: createApiMetrics(() => 0) };
}

export const NOON = new Date("2026-11-21T12:00:00Z");

export const HOURLY: ScheduleTerms = {
  ...{ name: "Hourly", url: "https://api.example/v1", specUrl: null, context: "internal", historyLimit: 10 },
  ...{ schedule: "0 * * * *", timeZone: "Etc/UTC", jitterSeconds: 0, startingDeadlineSeconds: 600 },
  ...{ concurrencyPolicy: "Forbid", suspend: false, include: null, exclude: null, identitySet: null },
};

/** Stores a schedule of an account at noon; its id. */
export async function scheduledIn(
  store: Store,
  accountId: string,
  over: Partial<ScheduleTerms> = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const terms = { ...HOURLY, ...over };
  const nextRunAt = nextRunAfter({ id, ...terms }, NOON);
  await store.schedules.create(accountId, id, { ...terms, decidedUntil: NOON, nextRunAt });
  return id;
}
