import { isBlocked } from "../oracles/classify.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { Transport } from "../transport/transport.ts";
import type { TargetProfile } from "./check.ts";
import type { SupervisorDeps, TargetHealth } from "./supervisor.ts";

/** Seconds between two looks at a target that is not healthy; the last one is repeated. */
const BACKOFF_SECONDS = [1, 2, 4, 8, 15];

/** Looks after the real target: by a path that does not exist, which is asked for again and again. */
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
  let patience = deps.patienceSeconds;
  const health = () => targetHealth(transport, profile);
  return {
    health,
    async recover(first) {
      let seen: TargetHealth = first;
      for (let look = 0; seen !== "healthy" && patience > 0; look++) {
        const seconds = Math.min(BACKOFF_SECONDS[look] ?? BACKOFF_SECONDS.at(-1)!, patience);
        const started = deps.now();
        await deps.wait(seconds * 1000);
        seen = await health();
        // A look takes long, too, where the target asks for a pause before it.
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

/** A path that did not exist is asked for again: a firewall that has had enough answers otherwise. */
async function targetHealth(
  transport: Transport,
  { calibration }: Pick<TargetProfile, "calibration">,
): Promise<TargetHealth> {
  const [before] = calibration.missing;
  if (!before) return "healthy";
  try {
    const now = await transport.send(before.request, { share: false });
    if (THROTTLED.has(now.status)) return "blocking"; // also when it was so from the start: nothing can be learned then
    if (now.status === before.status) return "healthy";
    if (WITHOUT_UPSTREAM.has(now.status)) return "unresponsive";
    return isBlocked(now) || now.status === 403 ? "blocking" : "healthy";
  } catch (error) {
    // A used-up budget or a deadline says nothing of the target; each check meets it by itself.
    const ours = error instanceof NetworkError && (error.kind === "budget" || error.kind === "deadline");
    return ours ? "healthy" : "unresponsive";
  }
}

const THROTTLED = new Set([429, 503]);
/** A gateway answers, and what is behind it does not. */
const WITHOUT_UPSTREAM = new Set([502, 504]);
