import {
  ApiError,
  IDENTITY_FIELDS,
  SCAN_ID_PATTERN,
  checkIdentityFields,
  inputText,
  newScanId,
  scanRequestOverHttpSchema,
  type CompletedScan,
  type IdentitiesFile,
  type Scan,
  type ScanContext,
  type ScanRequest,
} from "@glovebox/contract";
import { filtersOf, modeOf, requestOf, type Actor, type ScanRow } from "@glovebox/store";
import * as z from "zod";
import { RETRY_AFTER } from "../http/respond.ts";
import { identitiesOf } from "../identities/identity-source.ts";
import { pastedIdentities } from "../identities/pasted-identities.ts";
import { requireActiveMode } from "../scans/active-mode.ts";
import { removeScan, type RemoveRequest } from "../scans/delete-scan.ts";
import { noSuchScan } from "../scans/get-scan.ts";
import { withoutReport } from "../scans/scan-response.ts";
import { startScan } from "../scans/submit-scan.ts";
import { followScans } from "./scan-progress.ts";
import { can, permitsStill, router, type AccountInView, type AdminContext } from "./trpc.ts";

/** A scan as `/v1` has it, but for what its report says: `readScan` has that. */
export type ScanInBrief =
  | Exclude<Scan, { status: "completed" }>
  | (Pick<
      CompletedScan,
      "id" | "status" | "url" | "createdAt" | "completedAt" | "score" | "grade" | "include" | "exclude"
    > & { readonly mode?: "active" });

/** A scan, and what was asked for. */
export interface ScanDetail {
  readonly scan: ScanInBrief;
  readonly specUrl: string | null;
  readonly context: ScanContext | null;
  /** Of the identities that it was submitted with; null: none. */
  readonly identityNames: readonly string[] | null;
  /** How often it was begun. */
  readonly attempts: number;
}

/** A condition of the Scan resource, as `kubectl describe` shows it. */
export interface ConditionItem {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly since: string;
}

const startInput = scanRequestOverHttpSchema
  .extend({
    /** With the expectations of the file, where it is one. */
    identities: pastedIdentities.optional(),
    identitySet: IDENTITY_FIELDS.identitySet,
  })
  .superRefine(checkIdentityFields);

const byId = z.strictObject({ id: z.string().regex(SCAN_ID_PATTERN) });
/** Scans that one stream follows. */
const MAX_FOLLOWED = 20;
/** Between two looks at the session of a stream. */
const SESSION_CHECK_MS = 5_000;

/** One scan: its progress, and what starts and ends it. */
export const scanControl = router({
  get: can("scans:read")
    .input(byId)
    .query(async ({ ctx: { account, services }, input }): Promise<ScanDetail> => {
      const row = await services.store.scans.find(account.id, input.id);
      if (!row) throw noSuchScan();
      const { specUrl, context, identityNames, attempts } = row;
      return { scan: inBrief(row), specUrl, context, identityNames, attempts };
    }),

  /** On Kubernetes: why the scan waits, and whether its isolation is proven. Empty elsewhere, and once its Scan no longer exists. */
  conditions: can("scans:read")
    .input(byId)
    .query(async ({ ctx: { account, services }, input }): Promise<ConditionItem[]> => {
      const row = await services.store.scans.find(account.id, input.id);
      if (!row) throw noSuchScan();
      const conditions = (await services.launcher.conditions?.(row).catch(unavailable)) ?? [];
      return conditions.map(({ type, status, reason, message, lastTransitionTime }) => ({
        ...{ type, status, reason, message, since: lastTransitionTime },
      }));
    }),

  start: can("scans:write")
    .input(startInput)
    .mutation(
      async ({ ctx, input: { identities: pasted, identitySet, ...request } }): Promise<{ id: string }> => {
        const asked = { url: request.url, ...pasted, identitySet };
        return start(ctx, { ...request, ...(await identitiesOf(ctx.services, ctx.account, asked)) });
      },
    ),

  /** The same request again, as another scan. */
  retry: can("scans:write")
    .input(byId)
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const row = await ctx.services.store.scans.find(ctx.account.id, input.id);
      if (!row) throw noSuchScan();
      if (row.status === "processing")
        throw new ApiError("invalid_request", "the scan is still running", { field: "id" });
      if (row.identityNames)
        throw new ApiError("invalid_request", "its identities were deleted when it ended; start a new scan", {
          field: "id",
        });
      return start(ctx, requestOf(row));
    }),

  /** Ends a scan that runs; it becomes failed, with the code `cancelled`. */
  cancel: can("scans:write")
    .input(byId)
    .mutation(({ ctx, input }) => remove(ctx, { ...input, wanted: "cancelled" })),

  /** Deletes an ended scan with its report. */
  delete: can("scans:write")
    .input(byId)
    .mutation(({ ctx, input }) => remove(ctx, { ...input, wanted: "deleted" })),

  /** One stream for all scans of a page; it ends when the last of them has ended. */
  progress: can("scans:read")
    .input(
      z.strictObject({
        ids: z.array(z.string().regex(SCAN_ID_PATTERN)).min(1).max(MAX_FOLLOWED),
        /** Added by clients that connect again; all is sent again in any case. */
        lastEventId: inputText.max(100).optional(),
      }),
    )
    .subscription(({ ctx, input }) =>
      followScans({
        ...{ services: ctx.services, accountId: ctx.account.id, signal: ctx.signal },
        ids: [...new Set(input.ids)],
        isStillPermitted: () => permitsStill("scans:read", ctx),
        everyMs: SESSION_CHECK_MS,
      }),
    ),
});

function inBrief(row: ScanRow): ScanInBrief {
  if (row.status !== "completed") return withoutReport(row);
  const { id, status, url, score, grade } = row;
  const times = { createdAt: row.createdAt.toISOString(), completedAt: row.endedAt!.toISOString() };
  return { id, status, url, ...times, ...filtersOf(row), ...modeOf(row), score: score!, grade: grade! };
}

function unavailable(cause: unknown): never {
  const message = "The cluster is not available; try again shortly.";
  throw new ApiError("unavailable", message, { headers: RETRY_AFTER, cause });
}

type Acting = Pick<AdminContext, "services"> & { readonly account: AccountInView; readonly actor: Actor };

async function start(
  { services, account, actor }: Acting,
  request: ScanRequest & Partial<IdentitiesFile>,
): Promise<{ id: string }> {
  requireActiveMode(request, account);
  const { id } = await startScan(services, { id: newScanId(services.now()), account, actor, ...request });
  return { id };
}

async function remove(
  { services, account, actor }: Acting,
  request: Pick<RemoveRequest, "id" | "wanted">,
): Promise<null> {
  await removeScan(services, { ...request, accountId: account.id, actor });
  return null;
}
