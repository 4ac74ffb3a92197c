import { ApiError, scanFailure } from "@glovebox/contract";
import type { ScanRow } from "@glovebox/store";
import type { Services } from "../deps.ts";
import { EventStream } from "../http/event-stream.ts";
import { RETRY_AFTER } from "../http/respond.ts";
import { createRoute } from "../http/route.ts";
import { noSuchScan, scanParams } from "./get-scan.ts";
import { scanText } from "./scan-response.ts";
import type { ScanWatch } from "./scan-watch.ts";

/** Progress while the scan runs, then the ended scan, then the end of the stream. */
export const streamScanEvents = createRoute({
  operationId: "streamScanEvents",
  method: "get",
  path: "/v1/scan/{id}/events",
  access: "key",
  scope: "scans:read",
  summary: "Follow a scan",
  description:
    "Server-sent events: `progress` with {category, done, planned, total: {done, planned}}, then one `completed` " +
    "or `failed` with the scan, then the end of the stream. Comments keep the connection alive. It ends early when the key does.",
  params: scanParams,
  response: { status: 200, description: "The event stream.", content: { type: "text/event-stream" } },
  errors: ["not_found"],
  async handler({ params: { id }, principal, method, res }, { store, hub, settings }: Services) {
    const stream = new EventStream(res);
    const { keyId, account } = principal;
    const accountId = account.id;
    const { recheckAccess } = res.locals.context;
    using watch = hub.watch(
      { id, accountId },
      { client: res, keyId, onProgress: ({ frame, total }) => stream.progress({ ...frame, total }) },
    );
    if (!watch) throw unwatched(hub, accountId);
    const read = (): Promise<ScanRow | undefined> => store.scans.get(accountId, id);
    const found = await read();
    if (!found) throw noSuchScan();
    stream.open();
    const heartbeatMs = settings.heartbeatSeconds * 1000;
    if (method !== "HEAD") await follow({ watch, stream, read, found, heartbeatMs, recheckAccess });
    stream.end();
    return undefined;
  },
});

/** Why the hub gave no watch. */
export const unwatched = (hub: Services["hub"], accountId: string): ApiError =>
  hub.isFullFor(accountId) ? tooManyOfAccount() : tooMany();

const tooManyOfAccount = (): ApiError =>
  new ApiError("rate_limit_exceeded", "Too many clients of this account are already waiting.", {
    headers: RETRY_AFTER,
  });
const tooMany = (): ApiError =>
  new ApiError("unavailable", "Too many clients are already waiting.", { headers: RETRY_AFTER });

interface Following {
  readonly watch: ScanWatch;
  readonly stream: EventStream;
  readonly read: () => Promise<ScanRow | undefined>;
  readonly found: ScanRow;
  readonly heartbeatMs: number;
  readonly recheckAccess: () => Promise<void>;
}

/** Also ends when the key of the client is revoked. */
async function follow(following: Following): Promise<void> {
  const { watch, stream, read, found, heartbeatMs, recheckAccess } = following;
  let current = found;
  while (current.status === "processing") {
    const wake = await watch.next(heartbeatMs);
    if (wake === "disconnected" || wake === "closing") return;
    if (!(await holds(recheckAccess))) return;
    if (wake === "timeout") stream.heartbeat();
    else current = await reread(read, current);
  }
  stream.send(current.status, await scanText(current));
}

async function holds(recheckAccess: Following["recheckAccess"]): Promise<boolean> {
  try {
    await recheckAccess();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

// The response has begun, so an outage cannot be reported; after it, the `reconnected` event triggers another read.
async function reread(read: Following["read"], current: ScanRow): Promise<ScanRow> {
  try {
    return (await read()) ?? deletedScan(current);
  } catch {
    return current;
  }
}

/** Only ended scans are deleted. One that was processing before must have been cancelled in between. */
const deletedScan = (scan: ScanRow): ScanRow => ({
  ...scan,
  status: "failed",
  failure: scanFailure("cancelled"),
});
