import { ApiError, type ScanRequest } from "@glovebox/contract";
import type { Account } from "@glovebox/store";

/** @throws ApiError `forbidden` where the scan would write to its target and the operator has not allowed that to the account */
export function requireActiveMode(
  { mode }: Pick<ScanRequest, "mode">,
  { activeMode }: Pick<Account, "activeMode">,
): void {
  if (mode !== "active" || activeMode) return;
  throw new ApiError(
    "forbidden",
    "The account may not scan in active mode: an administrator of the service has to allow it.",
  );
}
