import type { ApiResponse } from "../http/call.ts";
import { respond } from "../http/respond.ts";
import { renderScan, type StoredScan } from "./render-scan.ts";

const RETRY_AFTER_SECONDS = "5";

export const scanPath = (id: string): string => `/v1/scan/${id}`;

/** Answers 200 with the scan; where to look again, and when, while it is processing. */
export function answerScan(res: ApiResponse, found: StoredScan, applied: string | undefined): void {
  const headers: Record<string, string> = {};
  if (applied) headers["Preference-Applied"] = applied;
  if (found.scan.status === "processing") {
    headers["Location"] = scanPath(found.scan.id);
    headers["Retry-After"] = RETRY_AFTER_SECONDS;
  }
  respond(res, { status: 200, headers, body: renderScan(found) });
}
