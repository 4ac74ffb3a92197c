import { ApiError, scanFailure } from "@glovebox/contract";
import type { StoredScan } from "@glovebox/store";
import { principalOf, type ApiRequest, type ApiResponse } from "../http/request-context.ts";
import { EventStream } from "../http/event-stream.ts";
import { noSuchScan, scanIdOf } from "./read-scan.ts";
import { renderScan } from "./render-scan.ts";
import type { ScanWatch } from "./scan-watch.ts";
import type { ScanServices } from "./services.ts";

/** GET /v1/scan/{id}/events: progress while the scan runs, then the ended scan, then the end of the stream. */
export async function scanEvents(services: ScanServices, req: ApiRequest, res: ApiResponse): Promise<void> {
  const id = scanIdOf(req);
  const stream = new EventStream(res);
  const accountId = principalOf(res).account.id;
  const { hub } = services;
  const watch = hub.watch({ id, accountId }, ({ frame, total }) => stream.progress({ ...frame, total }));
  if (!watch) throw hub.isFullFor(accountId) ? tooManyOfAccount() : tooMany();
  if (res.destroyed) watch.wake("hungUp");
  const hangUp = (): void => watch.wake("hungUp");
  res.once("close", hangUp);
  try {
    const read = (): Promise<StoredScan | undefined> => services.store.scans.get(accountId, id);
    const found = await read();
    if (!found) throw noSuchScan();
    stream.open();
    if (req.method !== "HEAD") await follow({ services, watch, stream, read, found });
    stream.end();
  } finally {
    res.off("close", hangUp);
    watch.stop();
  }
}

const RETRY = { "Retry-After": "5" };
const tooManyOfAccount = (): ApiError =>
  new ApiError("rate_limit_exceeded", "Too many clients of this account wait already.", RETRY);
const tooMany = (): ApiError => new ApiError("unavailable", "Too many clients wait already.", RETRY);

interface Following {
  readonly services: ScanServices;
  readonly watch: ScanWatch;
  readonly stream: EventStream;
  readonly read: () => Promise<StoredScan | undefined>;
  readonly found: StoredScan;
}

async function follow({ services, watch, stream, read, found }: Following): Promise<void> {
  let current = found;
  while (current.scan.status === "processing") {
    const wake = await watch.next(services.settings.heartbeatSeconds * 1000);
    if (wake === "hungUp" || wake === "closing") return;
    if (wake === "timeout") stream.heartbeat();
    else current = await reread(read, current);
  }
  stream.send(current.scan.status, renderScan(current));
}

// The stream is open, so an outage cannot be answered any more; the store announces when it is back.
async function reread(read: Following["read"], current: StoredScan): Promise<StoredScan> {
  try {
    return (await read()) ?? erased(current);
  } catch {
    return current;
  }
}

/** Only an ended scan is erased, and one that was processing a moment ago can have ended then only by cancellation. */
const erased = ({ scan }: StoredScan): StoredScan => ({
  scan: { ...scan, status: "failed", failure: scanFailure("cancelled") },
  reportJson: null,
});
