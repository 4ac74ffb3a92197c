import type { Clock } from "../timing/clock.ts";
import { type Fence, LeaderElection } from "../leader/leader-election.ts";
import type { FakeLeases, Journey } from "./fake-leases.ts";

/** A process that wants to lead, and what has become of it. */
export interface ElectionCandidate {
  readonly name: string;
  readonly election: LeaderElection;
  readonly log: readonly string[];
  /** True when it may write now, as its fence says. */
  mayWrite(): boolean;
  fence(): Fence | undefined;
}

export interface CandidateOptions {
  readonly name: string;
  readonly leases: FakeLeases;
  readonly clock: Clock;
  readonly journey?: (() => Journey) | undefined;
}

export function createCandidate({ name, leases, clock, journey }: CandidateOptions): ElectionCandidate {
  const log: string[] = [];
  let fence: Fence | undefined;
  const election = new LeaderElection({
    leases: leases.seenBy(journey),
    identity: name,
    clock,
    random: () => 0,
    onElected: (held) => {
      fence = held;
      log.push("elected");
      held.signal.addEventListener("abort", () => log.push("fence aborted"));
    },
    onLost: () => log.push("lost"),
    onError: () => log.push("error"),
  });
  return {
    name,
    election,
    log,
    fence: () => fence,
    mayWrite() {
      try {
        fence?.assertHeld();
        return fence !== undefined;
      } catch {
        return false;
      }
    },
  };
}
