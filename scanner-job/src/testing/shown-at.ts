import type { Instance } from "@glovebox/contract";
import { goesTo, HANDSHAKE } from "../engine/evidence.ts";
import { fitsTemplate } from "../inventory/discovery/path-template.ts";

/** Checks about the host as a whole that examine one path of it as a sample. */
const SAMPLING: ReadonlySet<string> = new Set([
  "rate-limiting/bounded-burst",
  "authentication/missing-authentication",
]);

/** Checks of what a sign-in issues, which show it at what it gives access to. */
const OF_SIGN_IN: ReadonlySet<string> = new Set(["authentication/token-after-expiry"]);

type Shown = Pick<Instance, "check" | "location" | "evidence">;

/**
 * Whether the evidence of a finding shows the weakness at the location of the finding: an attack went there, or where there
 * is none, what was observed. `entry` is the submitted path, which stands for the host.
 */
export function isShownAt({ check, location, evidence }: Shown, entry: string = "/"): boolean {
  const { exchanges, pointer } = evidence;
  const attacks = exchanges.filter(({ role }) => role === "attack" || role === "repeat");
  const isOfHost = location.method === "GET" && location.path === entry;
  if (OF_SIGN_IN.has(check)) return attacks.length > 0;
  if (pointer !== undefined || (isOfHost && (attacks.length === 0 || SAMPLING.has(check)))) return true;
  const observed = exchanges.filter(({ role }) => role !== "control");
  const shows = [attacks, observed, exchanges].find(({ length }) => length > 0) ?? [];
  return shows.some(
    ({ request, response }) =>
      request.method === HANDSHAKE ||
      goesTo({ request, response: response }, location) ||
      // Some servers are told by a header which path is meant.
      Object.values(request.headers).some((value) => fitsTemplate(value, location.path)),
  );
}
