import { ApiError, SCAN_ID_PATTERN, scanIdSchema } from "@glovebox/contract";
import type { Principal, ScanRow } from "@glovebox/store";
import * as z from "zod";
import type { Services } from "../deps.ts";
import { preferHeader, waitPreference } from "../http/prefer.ts";
import type { ApiResponse } from "../http/request-context.ts";
import { createRoute } from "../http/route.ts";
import { preferenceApplied, responseWithScan, scanResponse } from "./scan-response.ts";
import { waitForEnd, type Waited } from "./scan-watch.ts";

const NO_SUCH_SCAN = "No such scan.";

/** The same for an unknown scan and for one of another account (docs/specification.md, "Authentication"). */
export const noSuchScan = (): ApiError => new ApiError("not_found", NO_SUCH_SCAN);

/** Path parameters of a scan. */
export const scanParams = z.object({
  id: z.string().regex(SCAN_ID_PATTERN, NO_SUCH_SCAN).meta(scanIdSchema.meta()!),
});

/** The scan as it is, or with `Prefer: wait=N` as it is when it has ended. */
export const getScan = createRoute({
  operationId: "getScan",
  method: "get",
  path: "/v1/scan/{id}",
  access: "key",
  scope: "scans:read",
  summary: "Get a scan",
  description: "With `Prefer: wait=N` the request is held until the scan ends, for at most N seconds.",
  params: scanParams,
  headers: z.object({ Prefer: preferHeader }),
  response: scanResponse,
  errors: ["not_found"],
  async handler({ params: { id }, headers, principal, res }, services: Services) {
    const preference = waitPreference(headers.Prefer, 0);
    const { seconds } = preference;
    const waited = await waitedScan(services, { id, principal, seconds, client: res });
    if (waited === "disconnected") return undefined;
    return responseWithScan(waited.found, preferenceApplied(preference, waited.cutShort));
  },
});

interface Wanted {
  readonly id: string;
  readonly principal: Principal;
  /** How long to wait for the end of the scan. */
  readonly seconds: number;
  readonly client: ApiResponse;
}

/** A scan of the account, once it has ended or the time is over. @throws ApiError `not_found` */
export async function waitedScan(
  { store, hub, now }: Services,
  { id, principal: { account, keyId }, seconds, client }: Wanted,
): Promise<(Waited & { readonly found: ScanRow }) | "disconnected"> {
  using watch = seconds > 0 ? hub.watch({ id, accountId: account.id }, { client, keyId }) : undefined;
  const { recheckAccess } = client.locals.context;
  const read = () => store.scans.get(account.id, id);
  const waited = await waitForEnd({ watch, seconds, now, read, recheckAccess });
  if (waited === "disconnected") return waited;
  const { found, cutShort } = waited;
  if (!found) throw noSuchScan();
  return { found, cutShort };
}
