import { ApiError, newScanId, type ScanRequest } from "@glovebox/contract";
import {
  StoreUnavailable,
  type LaunchOrder,
  type ScanRow,
  type StoredScan,
  type Submission,
  type SubmitResult,
} from "@glovebox/store";
import { principalOf, type ApiRequest, type ApiResponse } from "../http/request-context.ts";
import { waitPreference } from "../http/prefer.ts";
import { readJson } from "../http/json-body.ts";
import { answerScan, preferenceHeader, scanPath } from "./answer-scan.ts";
import { parseIdempotencyKey } from "./idempotency-key.ts";
import { parseScanRequest, requestDigest } from "./scan-request.ts";
import type { ScanServices } from "./services.ts";
import { waitForEnd } from "./wait-for-end.ts";

/** POST /v1/scan: validates, charges and writes the scan down, and holds the request until it ends. */
export async function submitScan(services: ScanServices, req: ApiRequest, res: ApiResponse): Promise<void> {
  const key = parseIdempotencyKey(req.headers["idempotency-key"]);
  const preference = waitPreference(preferHeader(req), services.settings.waitSeconds);
  const request = parseScanRequest(await readJson(req, res));
  const scan = await begin(services, request, submission({ services, res, request, key }));
  if (preference.seconds === 0 && scan.status === "processing")
    return answerScan(res, { scan, reportJson: null }, preferenceHeader(preference, false));
  const waited = await waitForEnd({
    hub: services.hub,
    res,
    scan,
    seconds: preference.seconds,
    now: services.now,
    read: () => readOrKnown(services, scan),
  });
  if (waited === "hungUp") return;
  const { found, cutShort } = waited;
  const applied = preferenceHeader(preference, cutShort);
  if (!found) throw new ApiError("scan_failed", "The scan was erased.", applied);
  if (found.scan.status === "failed") throw scanFailed(found.scan, applied);
  answerScan(res, found, applied);
}

/** The Prefer header; node:http joins several of them with commas. */
export const preferHeader = (req: ApiRequest): string | undefined =>
  req.headers["prefer"] as string | undefined;

interface SubmissionParts {
  readonly services: ScanServices;
  readonly res: ApiResponse;
  readonly request: ScanRequest;
  readonly key: string | undefined;
}

function submission({ services, res, request, key }: SubmissionParts): Submission {
  const { account } = principalOf(res);
  return {
    id: newScanId(services.now()),
    account,
    ...request,
    idempotency: key === undefined ? undefined : { key, bodyDigest: requestDigest(request) },
  };
}

/** Refused hosts are refused before anything is charged; names are looked up only for who has a scan left. */
async function begin(services: ScanServices, request: ScanRequest, order: Submission): Promise<ScanRow> {
  const { guard, launcher, lookUps, store } = services;
  if (guard.judge(request) === "lookUp") {
    const foreseen = await store.scans.foresee(order);
    if (foreseen) return acceptedScan(foreseen);
    await guard.lookUp(request, lookUps.of(order.account.id));
  }
  const result = await store.scans.submit({ ...order, installation: await launcher.installation?.() });
  if (result.outcome === "created") {
    services.metrics.scansSubmitted.inc();
    await launch(services, { ...result.scan, account: order.account.name });
  }
  return acceptedScan(result);
}

function acceptedScan(result: SubmitResult): ScanRow {
  if (result.outcome === "created" || result.outcome === "replayed") return result.scan;
  if (result.outcome === "conflict")
    throw new ApiError("idempotency_conflict", "Idempotency-Key: was used within 24 hours with another body");
  throw new ApiError("rate_limit_exceeded", "The plan's scans of this month are used up.", {
    "Retry-After": String(result.renewedInSeconds),
  });
}

// The row is written: whoever carries scans out finds it there even when it could not be woken.
async function launch({ launcher, logger }: ScanServices, scan: LaunchOrder): Promise<void> {
  const { id, account, url, specUrl, context } = scan;
  try {
    await launcher.launch({ id, account, url, specUrl, context });
  } catch (error) {
    logger.warn(
      { scan: id, error: (error as Error).name },
      "The scan could not be launched; the sweep retries",
    );
  }
}

// The scan is accepted: an outage while its client waits does not make that untrue.
async function readOrKnown({ store }: ScanServices, scan: ScanRow): Promise<StoredScan | undefined> {
  try {
    return await store.scans.get(scan.accountId, scan.id);
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || scan.status !== "processing") throw error;
    return { scan, reportJson: null };
  }
}

const scanFailed = ({ id, failure }: ScanRow, applied: Record<string, string>): ApiError =>
  new ApiError("scan_failed", failure?.message ?? "The scan failed.", { Location: scanPath(id), ...applied });
