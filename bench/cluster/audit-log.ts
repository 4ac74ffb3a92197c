import { createReadStream, statSync } from "node:fs";
import { createInterface } from "node:readline";

/** The benchmark speaks through the controller's client, and so by its name. */
const CONTROLLER = "glovebox-controller";

/** One request to the API server. */
export interface AuditedCall {
  readonly stage: string;
  readonly verb: string;
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly subresource?: string;
  };
}

/** The API server's audit log: one JSON line for each request. */
export interface AuditLog {
  /** Where it ends now. */
  mark(): number;
  /** What was written since then. */
  since(mark: number): Promise<AuditedCall[]>;
}

/** The log of GLOVEBOX_CLUSTER_AUDIT_LOG, if it is told. */
export function auditLog(): AuditLog | undefined {
  const file = process.env["GLOVEBOX_CLUSTER_AUDIT_LOG"];
  if (!file) return undefined;
  return {
    mark: () => statSync(file).size,
    async since(mark) {
      const calls: AuditedCall[] = [];
      const input = createReadStream(file, { start: mark });
      for await (const line of createInterface({ input })) {
        // The line that was being written at the mark is cut.
        if (!line.startsWith("{") || !line.includes(CONTROLLER)) continue;
        calls.push(JSON.parse(line) as AuditedCall);
      }
      return calls;
    },
  };
}

/** Calls of the controller about one scan or another: all but watches, lists, its lease, and what only a client creates. */
export const callsOf = (calls: readonly AuditedCall[], namespace: string): AuditedCall[] =>
  calls.filter(
    ({ stage, verb, userAgent = "", objectRef }) =>
      stage === "ResponseComplete" &&
      userAgent.startsWith(CONTROLLER) &&
      objectRef?.namespace === namespace &&
      objectRef.resource !== "leases" &&
      verb !== "watch" &&
      verb !== "list" &&
      !(verb === "create" && objectRef.resource === "scans") &&
      verb !== "deletecollection",
  );
