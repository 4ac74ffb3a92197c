export { EgressAllowError, parseEgressAllow } from "./allowance.ts";
export type { EgressAllowance } from "./allowance.ts";
export { judgeHost, parseHostAddress } from "./host.ts";
export type { ParsedHost } from "./host.ts";
export { pinTarget, resolvePins } from "./pins.ts";
export type { HostPin, Lookup, PinDeps, PinResult, ResolveResult } from "./pins.ts";
export { createEgressPolicy } from "./policy.ts";
export type { EgressPolicy, EgressVerdict } from "./policy.ts";
export { systemLookup } from "./system-lookup.ts";
