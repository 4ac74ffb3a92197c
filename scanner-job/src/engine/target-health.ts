import { isBlocked } from "../oracles/classify.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import type { Transport } from "../transport/transport.ts";
import type { TargetProfile } from "./check.ts";
import type { Loss, Supervisor, SupervisorDeps, TargetHealth } from "./supervisor.ts";

/** Seconds between two health checks of an unhealthy target; the last value is repeated. */
const BACKOFF_SECONDS = [1, 2, 4, 8, 15];

/** Seconds for a target that has not responded at all yet: it may be starting. */
const SHORT_PATIENCE = 7;

/** Checks the health of the real target with repeated requests for a path that does not exist. */
export function superviseTarget(
  transport: Transport,
  profile: Pick<TargetProfile, "calibration">,
  deps: {
    now: () => number;
    wait: (ms: number) => Promise<void>;
    /** For all outages together. */
    patienceSeconds: number;
    onRecovered: () => void;
  },
): SupervisorDeps {
  const failedBefore = profile.calibration.missing.some(({ status }) => status >= 500);
  let patience = failedBefore ? Math.min(SHORT_PATIENCE, deps.patienceSeconds) : deps.patienceSeconds;
  const health = () => targetHealth(transport, profile);
  return {
    health,
    async recover(first) {
      let seen: TargetHealth = first;
      for (let attempt = 0; seen !== "healthy" && patience > 0; attempt++) {
        const seconds = Math.min(BACKOFF_SECONDS[attempt] ?? BACKOFF_SECONDS.at(-1)!, patience);
        const started = deps.now();
        await deps.wait(seconds * 1000);
        seen = await health();
        // A health check takes longer where the target asked for a pause (Retry-After).
        patience -= Math.max(seconds, (deps.now() - started) / 1000);
      }
      if (seen === "healthy") {
        transport.forget();
        deps.onRecovered();
      }
      return seen;
    },
  };
}

/** Why the scan gave the target up. Discovery alone may have been too much: then nothing was left to be supervised. */
export const lossOf = ({ loss }: Supervisor, { throttled }: Transport): Loss | undefined =>
  loss ?? (throttled.length > 0 ? "blocking" : undefined);

/** Repeats a request for a path that does not exist: a firewall that blocks the scan responds differently. */
async function targetHealth(
  transport: Transport,
  { calibration }: Pick<TargetProfile, "calibration">,
): Promise<TargetHealth> {
  const [before] = calibration.missing;
  if (!before) return "healthy";
  try {
    const seen = healthBy(await transport.send(before.request, { share: false }), before);
    // The request that caused an outage causes it once more.
    return seen === "healthy" && (await transport.lostConnections.findCause()) ? "unresponsive" : seen;
  } catch (error) {
    // An exhausted budget or deadline is not a sign of an unhealthy target; each check handles it.
    const ours =
      error instanceof NetworkError && ["budget", "deadline", "write_refused"].includes(error.kind);
    return ours ? "healthy" : "unresponsive";
  }
}

function healthBy(now: ProbeResponse, before: ProbeResponse): TargetHealth {
  // Both also when it was so from the start: nothing can be learned then.
  if (now.status === 503 && before.status >= 500) return "unresponsive";
  if (THROTTLED.has(now.status)) return "blocking";
  if (now.status === before.status) return "healthy";
  if (WITHOUT_UPSTREAM.has(now.status)) return "unresponsive";
  return isBlocked(now) || now.status === 403 ? "blocking" : "healthy";
}

const THROTTLED = new Set([429, 503]);
/** A gateway responds, and its upstream does not. */
const WITHOUT_UPSTREAM = new Set([502, 504]);
