import { Agent } from "undici";
import type { Scope } from "./scope.ts";

/** The TLS settings of every connection to a target. */
export const TARGET_TLS = {
  // A certificate that does not verify is a finding of the encryption checks, not a failure (docs/decisions.md, "Errors");
  // no scan carries a secret of ours.
  rejectUnauthorized: false,
  // Old protocols and ciphers are findings too, so the client must be able to speak them.
  minVersion: "TLSv1",
  ciphers: "DEFAULT:@SECLEVEL=0",
} as const;

/** Connections to the pinned addresses only, and bounded in all that a target could drag out. */
export function createAgent(scope: Scope): Agent {
  return new Agent({
    connect: { ...TARGET_TLS, lookup: scope.lookup, timeout: 5_000, autoSelectFamily: true },
    connections: 16,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 64 * 1024,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    keepAliveTimeout: 4_000,
  });
}
