/** A scan that waits for its turn, or holds a slot. */
export interface Contender {
  /** Sorts by the time of submission. */
  readonly id: string;
  readonly account: string;
  /** Host of the target, as URL.hostname has it. */
  readonly host: string;
}

export interface Waiting extends Contender {
  /** When it was submitted, in milliseconds. */
  readonly since: number;
  /** Grows with each scan that is let go: what it was at the last one of the account; 0 or absent for none. */
  readonly lastTurn?: number;
}

/** How many scans may run at once: in all, for one account, against one host. */
export interface Caps {
  readonly total: number;
  readonly perAccount: number;
  readonly perHost: number;
}

/** How many scans hold a slot: in all, of an account, against a host. */
export interface Running {
  readonly total: number;
  ofAccount(account: string): number;
  ofHost(host: string): number;
}

/**
 * The waiting scans that may start now, in that order. Each free slot goes to the account with the fewest running
 * scans; of several to the one whose last turn is longest ago; and within it to the first that came. A host that has no
 * slot for all who wait for it serves them in the order in which they came, whatever their account: so no stream of
 * newcomers keeps anybody waiting for ever. `running` are the scans whose Job has not ended, and those that were let go a
 * moment ago; none of them waits.
 */
export function admit(waiting: readonly Waiting[], running: Running, caps: Caps): string[] {
  const queue = waiting.toSorted(byArrival);
  const hall: Hall = {
    caps,
    accounts: linesOf(queue, "account", (name) => running.ofAccount(name)),
    hosts: linesOf(queue, "host", (name) => running.ofHost(name)),
    admitted: new Set(),
  };
  for (let slots = caps.total - running.total; slots > 0; slots--) {
    const next = nextOf(hall);
    if (!next) break;
    const [account, host] = [hall.accounts.get(next.account)!, hall.hosts.get(next.host)!];
    hall.admitted.add(next.id);
    account.running++;
    account.lastTurn = Number.MAX_SAFE_INTEGER;
    host.running++;
    host.left--;
  }
  return [...hall.admitted];
}

/** Those who wait for one account or host, in the order in which they came. */
interface Line {
  readonly scans: readonly Waiting[];
  running: number;
  /** How many of them have not been let go. */
  left: number;
  lastTurn: number;
}

interface Hall {
  readonly caps: Caps;
  readonly accounts: ReadonlyMap<string, Line>;
  readonly hosts: ReadonlyMap<string, Line>;
  readonly admitted: Set<string>;
}

function linesOf(
  queue: readonly Waiting[],
  key: "account" | "host",
  runningOf: (name: string) => number,
): Map<string, Line> {
  const lineOf = (name: string, scans: Waiting[]): Line => ({
    scans,
    running: runningOf(name),
    left: scans.length,
    lastTurn: scans[0]!.lastTurn ?? 0,
  });
  const lines = Map.groupBy(queue, (scan) => scan[key]);
  return new Map([...lines].map(([name, scans]) => [name, lineOf(name, scans)]));
}

function nextOf(hall: Hall): Waiting | undefined {
  let best: { line: Line; head: Waiting } | undefined;
  for (const line of hall.accounts.values()) {
    if (line.running >= hall.caps.perAccount) continue;
    if (best && line.running > best.line.running) continue;
    const head = line.scans.find((scan) => !hall.admitted.has(scan.id) && hasHostSlot(scan, hall));
    if (head && (!best || isAhead({ line, head }, best))) best = { line, head };
  }
  return best?.head;
}

const isAhead = (
  one: { readonly line: Line; readonly head: Waiting },
  other: { readonly line: Line; readonly head: Waiting },
): boolean =>
  (one.line.running - other.line.running ||
    one.line.lastTurn - other.line.lastTurn ||
    byArrival(one.head, other.head)) < 0;

/** Who came first has a claim on the host's slot, even while another account has the next turn. */
function hasHostSlot(scan: Waiting, { caps, accounts, hosts, admitted }: Hall): boolean {
  const { scans, running, left } = hosts.get(scan.host)!;
  let free = caps.perHost - running;
  if (free >= left) return true;
  for (const claimant of scans) {
    if (free <= 0) return false;
    if (claimant === scan) return true;
    if (admitted.has(claimant.id)) continue;
    if (accounts.get(claimant.account)!.running < caps.perAccount) free--;
  }
  return false;
}

const byArrival = (a: Waiting, b: Waiting): number =>
  a.since - b.since || (a.id < b.id ? -1 : Number(a.id > b.id));
