import type { StoredScan } from "@glovebox/store";
import type { ApiResponse } from "../http/request-context.ts";
import type { WaitPreference } from "../http/prefer.ts";
import { respond } from "../http/respond.ts";
import { renderScan } from "./render-scan.ts";

const RETRY_AFTER_SECONDS = "5";

export const scanPath = (id: string): string => `/v1/scan/${id}`;

/** Preference-Applied (RFC 7240, section 3), where there is something to say: a wait that was cut short was not applied. */
export function preferenceHeader({ applied }: WaitPreference, cutShort: boolean): Record<string, string> {
  const kept = applied?.split(", ").filter((preference) => !(cutShort && preference.startsWith("wait=")));
  return kept?.length ? { "Preference-Applied": kept.join(", ") } : {};
}

/** Answers 200 with the scan; where to look again, and when, while it is processing. */
export function answerScan(res: ApiResponse, found: StoredScan, preference: Record<string, string>): void {
  const headers = { ...preference };
  if (found.scan.status === "processing") {
    headers["Location"] = scanPath(found.scan.id);
    headers["Retry-After"] = RETRY_AFTER_SECONDS;
  }
  respond(res, { status: 200, headers, body: renderScan(found) });
}
