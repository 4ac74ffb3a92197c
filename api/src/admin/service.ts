import type { FailedScan, QueueState, QueuedScan } from "@glovebox/store";
import * as z from "zod";
import { dated, type DatesAsText } from "./lists.ts";
import { NO_INPUT, administer, router } from "./trpc.ts";

export type QueuedScanItem = DatesAsText<QueuedScan>;
export type FailedScanItem = DatesAsText<FailedScan>;

const limit = z.strictObject({ limit: z.int().min(1).max(100).default(50) });

/** The service as a whole, for its administrators. */
export const serviceRouter = router({
  state: administer.input(NO_INPUT).query(async ({ ctx: { services } }): Promise<QueueState> => {
    const { store } = services;
    const [counts, schema] = await Promise.all([store.queue.counts(), store.schemaState()]);
    return { ...counts, schema };
  }),

  /** Scans that have not ended, the oldest first. */
  queue: administer.input(limit).query(async ({ ctx: { services }, input }): Promise<QueuedScanItem[]> => {
    const rows = await services.store.queue.list(input.limit);
    return rows.map(dated);
  }),

  /** The last scans that failed, whatever the reason but their cancellation. */
  failures: administer.input(limit).query(async ({ ctx: { services }, input }): Promise<FailedScanItem[]> => {
    const rows = await services.store.queue.failures(input.limit);
    return rows.map(dated);
  }),
});
