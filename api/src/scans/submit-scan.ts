import { ApiError, newScanId, scanSubmissionSchema } from "@glovebox/contract";
import { StoreUnavailable, type ScanRow, type Submission, type SubmitResult } from "@glovebox/store";
import * as z from "zod";
import type { Services } from "../deps.ts";
import { preferHeader, waitPreference, type WaitPreference } from "../http/prefer.ts";
import type { HttpResponse } from "../http/respond.ts";
import { createRoute } from "../http/route.ts";
import { identitiesOf } from "../identities/identity-source.ts";
import { requireActiveMode } from "./active-mode.ts";
import { requestDigest } from "./request-digest.ts";
import { preferenceApplied, scanPath, responseWithScan, scanResponse } from "./scan-response.ts";
import { waitForEnd, type ScanWatch } from "./scan-watch.ts";

const idempotencyKeyHeader = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .optional()
  .meta({
    description:
      "Within 24 hours, the same key and body return the first scan without another charge; a different body is refused.",
    example: "build-4711",
  });

/** Validates the request, charges the account, inserts the scan, and waits for its end. */
export const submitScan = createRoute({
  operationId: "submitScan",
  method: "post",
  path: "/v1/scan",
  access: "key",
  scope: "scans:write",
  summary: "Submit a URL for scanning",
  description:
    "Held until the scan ends, for at most the wait of the service or of Prefer. The scan continues if the client " +
    "disconnects. Unknown fields are refused.",
  headers: z.object({ Prefer: preferHeader, "Idempotency-Key": idempotencyKeyHeader }),
  body: scanSubmissionSchema,
  fieldErrors: { url: "invalid_url", specUrl: "invalid_url", context: "invalid_context" },
  response: scanResponse,
  errors: [
    "invalid_url",
    "invalid_context",
    "invalid_request",
    "idempotency_conflict",
    "payload_too_large",
    "unsupported_media_type",
    "scan_failed",
  ],
  async handler({ headers, body, principal: { account, keyId }, actor, res }, services: Services) {
    const { hub, now, settings, store } = services;
    const { identities: _, expectations: __, identitySet: ___, ...request } = body;
    requireActiveMode(body, account);
    const file = await identitiesOf(services, account, body);
    const preference = waitPreference(headers.Prefer, settings.waitSeconds);
    const key = headers["Idempotency-Key"];
    const bodyDigest = requestDigest(body, (text) => store.identities.digest(text));
    const idempotency = key === undefined ? undefined : { key, bodyDigest };
    const submission: Submission = { id: newScanId(now()), account, actor, ...request, ...file, idempotency };
    const watchFor = (id: string) =>
      preference.seconds > 0 ? hub.watch({ id, accountId: account.id }, { client: res, keyId }) : undefined;
    const { recheckAccess } = res.locals.context;

    let notCreated = await checkTarget(services, submission);
    if (!notCreated) {
      // The watch begins before the row is written, so that its end is not missed and the row need not be read.
      using watch = watchFor(submission.id);
      const result = await insertScan(services, submission, submitAlone(services));
      if (result.outcome === "created")
        return await respondAtEnd(services, {
          scan: result.scan,
          isNew: true,
          watch,
          preference,
          recheckAccess,
        });
      notCreated = result;
    }
    const scan = replayedScan(notCreated);
    using watch = watchFor(scan.id);
    return await respondAtEnd(services, { scan, isNew: false, watch, preference, recheckAccess });
  },
});

type Insert = (submission: Submission) => Promise<SubmitResult>;
const submitAlone =
  ({ store }: Pick<Services, "store">): Insert =>
  (submission) =>
    store.scans.submit(submission);

/** What submitting takes. */
export type Submitting = Pick<Services, "store" | "targetGuard" | "launcher" | "logger" | "metrics">;

/**
 * Submits without waiting: the new scan, or the scan of an earlier request with the same Idempotency-Key. `insert` writes the row, by
 * itself or with what else belongs to the transaction.
 * @throws ApiError such as `invalid_url`, `idempotency_conflict` and `rate_limit_exceeded`
 */
export async function startScan(
  services: Submitting,
  submission: Submission,
  insert: Insert = submitAlone(services),
): Promise<ScanRow> {
  const result =
    (await checkTarget(services, submission)) ?? (await insertScan(services, submission, insert));
  return result.outcome === "created" ? result.scan : replayedScan(result);
}

type NotCreated = Exclude<SubmitResult, { outcome: "created" }>;

/**
 * Checks the hosts before anything is charged. Names are resolved only if the account has a scan left. Returns the result
 * if no scan is to be created.
 */
async function checkTarget(
  { targetGuard, store }: Submitting,
  submission: Submission,
): Promise<NotCreated | undefined> {
  if (targetGuard.judge(submission, submission.account.id) === "allowed") return undefined;
  const precheck = await store.scans.precheck(submission);
  if (!precheck) await targetGuard.lookUp(submission, submission.account.id);
  return precheck;
}

/** Charges the account, inserts the scan and launches it, unless it was there already or none is left. */
async function insertScan(
  services: Submitting,
  submission: Submission,
  insert: Insert,
): Promise<SubmitResult> {
  const { launcher, metrics } = services;
  const result = await insert({ ...submission, installation: await launcher.installation?.() });
  if (result.outcome !== "created") return result;
  metrics.scansSubmitted.inc();
  await launch(services, result.scan, submission.account.name);
  return result;
}

/** The scan of an earlier request with the same Idempotency-Key. */
function replayedScan(result: NotCreated): ScanRow {
  if (result.outcome === "replayed") return result.scan;
  if (result.outcome === "conflict")
    throw new ApiError("idempotency_conflict", "was used within 24 hours with a different body", {
      field: "Idempotency-Key",
    });
  throw new ApiError("rate_limit_exceeded", "The plan's scan limit for this month is reached.", {
    headers: { "Retry-After": String(result.renewedInSeconds) },
  });
}

// The row is written: the worker or the sweep finds it even if the launch failed.
async function launch({ launcher, logger }: Submitting, scan: ScanRow, account: string): Promise<void> {
  try {
    await launcher.launch(scan, account);
  } catch (error) {
    const { name } = error as Error;
    logger.warn({ scan: scan.id, error: name }, "scan could not be launched, the sweep retries");
  }
}

interface Accepted {
  readonly scan: ScanRow;
  /** The row was inserted by this request, after the watch began. */
  readonly isNew: boolean;
  readonly watch: ScanWatch | undefined;
  readonly preference: WaitPreference;
  readonly recheckAccess: () => Promise<void>;
}

async function respondAtEnd(
  { store, now }: Services,
  { scan, isNew, watch, preference, recheckAccess }: Accepted,
): Promise<HttpResponse | undefined> {
  const { seconds } = preference;
  const isCurrent = isNew || (seconds === 0 && scan.status === "processing");
  const waited = await waitForEnd({
    ...{ watch, seconds, now, recheckAccess },
    current: isCurrent ? scan : undefined,
    // The scan is accepted: an outage while the client waits is not an error of its request.
    read: () =>
      store.scans.get(scan.accountId, scan.id).catch((error: unknown) => {
        if (error instanceof StoreUnavailable && scan.status === "processing") return scan;
        throw error;
      }),
  });
  if (waited === "disconnected") return undefined;
  const { found, cutShort } = waited;
  const applied = preferenceApplied(preference, cutShort);
  if (!found) throw new ApiError("scan_failed", "The scan was deleted.", { headers: applied });
  if (found.status === "failed") throw scanFailed(found, applied);
  return responseWithScan(found, applied);
}

const scanFailed = ({ id, failure }: ScanRow, applied: Record<string, string>): ApiError =>
  new ApiError("scan_failed", failure?.message ?? "The scan failed.", {
    headers: { Location: scanPath(id), ...applied },
  });
