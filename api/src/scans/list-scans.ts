import type { ScanList } from "@glovebox/contract";
import { principalOf, type ApiRequest, type ApiResponse } from "../http/request-context.ts";
import { respondJson } from "../http/respond.ts";
import { parseListQuery } from "./list-query.ts";
import type { ScanServices } from "./services.ts";

/** GET /v1/scans: a page of the account's scans, newest first. */
export async function listScans({ store }: ScanServices, req: ApiRequest, res: ApiResponse): Promise<void> {
  const at = req.url.indexOf("?");
  const page = parseListQuery(at < 0 ? "" : req.url.slice(at + 1));
  const { scans, total } = await store.scans.list(principalOf(res).account.id, page);
  const list: ScanList = { scans, total, ...page };
  respondJson(res, list);
}
