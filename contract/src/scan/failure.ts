import * as z from "zod";

/**
 * Why a scan failed. `blame` decides the quota: failures of the service are refunded
 * (docs/decisions.md, "Plans, limits, keys").
 */
export const SCAN_FAILURES = {
  name_not_resolved: { blame: "target", message: "The target's host name could not be resolved." },
  connection_refused: { blame: "target", message: "The target refused the connection." },
  target_timeout: { blame: "target", message: "The target did not respond in time." },
  tls_failure: { blame: "target", message: "No TLS connection to the target could be made." },
  target_errors: { blame: "target", message: "The target responded with errors only." },
  target_unavailable: { blame: "target", message: "The target stopped responding during the scan." },
  target_blocked: {
    blame: "target",
    message: "The target, or a firewall in front of it, blocked the scan before anything could be tested.",
  },
  identity_rejected: { blame: "client", message: "The target did not accept an identity of the scan." },
  spec_unusable: { blame: "client", message: "The OpenAPI document could not be used." },
  wrong_base_path: {
    blame: "target",
    message: "None of the operations of the OpenAPI document exists at this address.",
  },
  nothing_tested: { blame: "target", message: "Nothing but the host itself could be tested." },
  egress_refused: {
    blame: "target",
    message: "The target resolves to an address that the egress policy refuses.",
  },
  cancelled: { blame: "client", message: "The scan was cancelled." },
  deadline_exceeded: { blame: "service", message: "The scan did not end within its deadline." },
  // With a refund, the owner of a target that crashes the scanner could hold workers without end.
  target_crashed_scanner: {
    blame: "target",
    message: "The scanner ran out of memory or was aborted in every attempt, by what the target sent.",
  },
  scanner_crashed: { blame: "service", message: "The scanner exited without a report." },
  result_lost: { blame: "service", message: "The scanner's report was incomplete." },
  // A scanner keeps its reports within bounds: only a compromised one makes such a report. With a refund, the owner of the
  // target could scan without limit.
  report_malformed: {
    blame: "target",
    message: "The scanner's report was malformed: the target may have compromised the scanner.",
  },
  isolation_not_proven: {
    blame: "service",
    message: "The isolation of the scan could not be proven.",
  },
  egress_widened: {
    blame: "service",
    message: "The scan was refused: another network policy allows more than its target.",
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

/** Why the isolation of a scan was not proven: the reason of the condition IsolationProven, and its message. */
export const ISOLATION_CAUSES = {
  CanaryReachable: "The scan pod reached the canary: the network does not enforce its NetworkPolicy.",
  CanaryRefused:
    "The connection to the canary was refused. Either the network rejects denied connections or the canary has crashed; the control addresses 192.0.2.1 and 100::1 did not show which. Give the nodes a default route.",
  CanaryLost: "The canary restarted, or was unreachable for other pods, before the proof was confirmed.",
  CanaryFamilyMissing:
    "The scan pod has an address of a family (IPv4, IPv6) in which the canary has none, so the isolation could not be tested there.",
  NotObserved: "The report contains no proof of isolation.",
} as const;
export type IsolationCause = keyof typeof ISOLATION_CAUSES;

export const scanFailureSchema = z
  .object({
    code: z.enum(SCAN_FAILURE_CODES),
    message: z.string().max(500),
    reason: z
      .enum(Object.keys(ISOLATION_CAUSES) as [IsolationCause, ...IsolationCause[]])
      .optional()
      .meta({ description: "Of `isolation_not_proven`: why not; none in scans of older releases" }),
  })
  .meta({ id: "ScanFailure" });
export type ScanFailure = z.infer<typeof scanFailureSchema>;

/** The failure with its standard message, and a detail behind it where one helps the reader. */
export function scanFailure(code: ScanFailureCode, detail?: string): ScanFailure {
  const { message } = SCAN_FAILURES[code];
  return { code, message: detail ? `${message} ${detail}`.slice(0, 500) : message };
}

/** The failure of a scan whose isolation was not proven, with the message of its cause and a detail behind it. */
export const isolationFailure = (reason: IsolationCause, detail = ""): ScanFailure => ({
  ...scanFailure("isolation_not_proven", `${ISOLATION_CAUSES[reason]} ${detail}`.trimEnd()),
  reason,
});

const CRASH_SIGNALS = { SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGSEGV: 11 };

/**
 * Whether a scanner crashed by what its target sent: its engine ended it, as it does without memory. Signals from outside and errors of
 * the program are not such a crash. By the name of the signal, or by the exit code that a container has for it.
 */
export const isCrashByTarget = (end: {
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
}): boolean =>
  Object.entries(CRASH_SIGNALS).some(
    ([signal, number]) => end.signal === signal || end.exitCode === 128 + number,
  );

/** True when the charge of the scan is refunded: the service failed, not the target or the client. */
export const isRefunded = (code: ScanFailureCode): boolean => SCAN_FAILURES[code].blame === "service";
