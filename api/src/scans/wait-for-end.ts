import type { StoredScan } from "@glovebox/store";
import type { ApiResponse } from "../http/request-context.ts";
import type { ScanHub } from "./scan-hub.ts";
import type { ScanWatch } from "./scan-watch.ts";

export interface WaitOptions {
  readonly hub: ScanHub;
  readonly res: ApiResponse;
  readonly scan: { readonly id: string; readonly accountId: string };
  readonly seconds: number;
  readonly now: () => Date;
  readonly read: () => Promise<StoredScan | undefined>;
}

/** What a wait came to: what was read last, or nothing because the client has gone. */
export type WaitResult = Waited | "hungUp";

export interface Waited {
  readonly found: StoredScan | undefined;
  /** The scan goes on and the time was not over: too many wait already, of the account or in all, or the service is shutting down. */
  readonly cutShort: boolean;
}

/**
 * Reads a scan, and while it is processing again whenever it may have changed, until it has ended or the time is over.
 * Where too many wait already, it is read once.
 */
export async function waitForEnd(options: WaitOptions): Promise<WaitResult> {
  const { hub, res, scan, seconds, read } = options;
  const watch = seconds > 0 ? hub.watch(scan) : undefined;
  if (!watch) {
    const found = await read();
    return { found, cutShort: seconds > 0 && found?.scan.status === "processing" };
  }
  if (res.destroyed) watch.wake("hungUp");
  const hangUp = (): void => watch.wake("hungUp");
  res.once("close", hangUp);
  try {
    return await readUntilEnd(watch, options);
  } finally {
    res.off("close", hangUp);
    watch.stop();
  }
}

async function readUntilEnd(watch: ScanWatch, { seconds, now, read }: WaitOptions): Promise<WaitResult> {
  const deadline = now().getTime() + seconds * 1000;
  for (;;) {
    const found = await read();
    if (found?.scan.status !== "processing") return { found, cutShort: false };
    const wake = await watch.next(Math.max(0, deadline - now().getTime()));
    if (wake === "hungUp") return "hungUp";
    if (wake === "closing") return { found, cutShort: true };
    if (wake === "timeout") return { found: await read(), cutShort: false };
  }
}
