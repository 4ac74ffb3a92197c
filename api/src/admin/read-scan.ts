import type { Services } from "../deps.ts";
import { createRoute } from "../http/route.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import { noSuchScan, scanParams } from "../scans/get-scan.ts";
import { responseWithScan } from "../scans/scan-response.ts";
import { accountQuery } from "./account-of-call.ts";
import { authorize } from "./trpc.ts";

/** A scan of the account in the query with its report, as `/v1` has it: tRPC would have to parse it. */
export const readScan = createRoute({
  operationId: "readScan",
  method: "get",
  path: "/admin/scan/{id}",
  access: "session",
  params: scanParams,
  query: accountQuery,
  async handler({ params: { id }, query: { account: accountId }, res }, services: Services) {
    requireSameOrigin(res.req.headers, services.publicUrl());
    const { session } = res.locals.context;
    const { account } = await authorize("scans:read", { services, session, accountId });
    const scan = await services.store.scans.get(account.id, id);
    if (!scan) throw noSuchScan();
    return responseWithScan(scan, {});
  },
});
