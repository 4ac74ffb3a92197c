import * as z from "zod";

/**
 * Why a scan failed. `blame` decides the quota: what is the service's own fault is given back
 * (decisions.md, "Plans, limits, keys").
 */
export const SCAN_FAILURES = {
  name_not_resolved: { blame: "target", message: "The target's host name could not be resolved." },
  connection_refused: { blame: "target", message: "The target refused the connection." },
  target_timeout: { blame: "target", message: "The target did not answer in time." },
  tls_failure: { blame: "target", message: "No TLS connection to the target could be made." },
  target_errors: { blame: "target", message: "The target answered only errors." },
  egress_refused: {
    blame: "target",
    message: "The target resolves to an address that the egress policy refuses.",
  },
  cancelled: { blame: "client", message: "The scan was cancelled." },
  deadline_exceeded: { blame: "service", message: "The scan did not end within its deadline." },
  scanner_crashed: { blame: "service", message: "The scanner ended without a report." },
  result_lost: { blame: "service", message: "The scanner's report did not arrive whole." },
  isolation_not_proven: {
    blame: "service",
    message: "The scan was not started: its isolation could not be proven.",
  },
  egress_widened: {
    blame: "service",
    message: "The scan was refused: another network policy opens more than its target.",
  },
  seal_broken: {
    blame: "service",
    message: "The scan's network policy was removed or changed while it ran.",
  },
  could_not_start: { blame: "service", message: "The scanner could not be started." },
  service_restarted: { blame: "service", message: "The service stopped during the scan." },
} as const;

export type ScanFailureCode = keyof typeof SCAN_FAILURES;
export const SCAN_FAILURE_CODES = Object.keys(SCAN_FAILURES) as [ScanFailureCode, ...ScanFailureCode[]];

export const scanFailureSchema = z
  .object({ code: z.enum(SCAN_FAILURE_CODES), message: z.string().max(500) })
  .meta({ id: "ScanFailure" });
export type ScanFailure = z.infer<typeof scanFailureSchema>;

/** The failure with its standard message, and a detail behind it where one helps the reader. */
export function scanFailure(code: ScanFailureCode, detail?: string): ScanFailure {
  const { message } = SCAN_FAILURES[code];
  return { code, message: detail ? `${message} ${detail}`.slice(0, 500) : message };
}

/** True when the scan's charge is given back: the failure was ours, not the target's or the client's. */
export const isGivenBack = (code: ScanFailureCode): boolean => SCAN_FAILURES[code].blame === "service";
