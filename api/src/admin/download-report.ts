import type { Services } from "../deps.ts";
import { createRoute } from "../http/route.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import { exportQuery, exportedReport } from "../scans/export-report.ts";
import { scanParams } from "../scans/get-scan.ts";
import { accountQuery } from "./account-of-call.ts";
import { authorize } from "./trpc.ts";

/** The report of a completed scan of the account in the query as a file, for a link in the dashboard. */
export const downloadReport = createRoute({
  operationId: "downloadReport",
  method: "get",
  path: "/admin/scan/{id}/report",
  access: "session",
  params: scanParams,
  query: exportQuery.extend(accountQuery.shape),
  async handler({ params: { id }, query: { format, account: accountId }, res }, services: Services) {
    requireSameOrigin(res.req.headers, services.publicUrl());
    const { session } = res.locals.context;
    const { account } = await authorize("scans:read", { services, session, accountId });
    return exportedReport(services, { account, id, format });
  },
});
