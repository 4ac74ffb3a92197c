/** A scan that waits for its turn, or holds a slot. */
export interface Contender {
  readonly id: string;
  readonly account: string;
  /** Host of the target, as URL.hostname has it. */
  readonly host: string;
}

export interface Waiting extends Contender {
  /** When it was submitted, in milliseconds. */
  readonly since: number;
}

/** How many scans may run at once: in all, for one account, against one host. */
export interface Caps {
  readonly total: number;
  readonly perAccount: number;
  readonly perHost: number;
}

/**
 * The waiting scans that may start now, in that order. Each free slot goes to the account with the fewest running
 * scans, and within it to the first that came. A host that has no slot for all who wait for it serves them in the order
 * in which they came, whatever their account: so no stream of newcomers keeps anybody waiting for ever.
 * `live` are the scans whose Job has not ended, and those that were let go a moment ago.
 */
export function admit(waiting: readonly Waiting[], live: readonly Contender[], caps: Caps): string[] {
  const running = { total: live.length, account: tally(live, "account"), host: tally(live, "host") };
  const isLive = new Set(live.map(({ id }) => id));
  const queue = waiting.filter(({ id }) => !isLive.has(id)).toSorted(byArrival);
  const admitted: string[] = [];
  while (running.total < caps.total) {
    const next = nextOf(queue, running, caps);
    if (!next) break;
    queue.splice(queue.indexOf(next), 1);
    admitted.push(next.id);
    running.total++;
    count(running.account, next.account);
    count(running.host, next.host);
  }
  return admitted;
}

interface Running {
  total: number;
  readonly account: Map<string, number>;
  readonly host: Map<string, number>;
}

function nextOf(queue: readonly Waiting[], { account, host }: Running, caps: Caps): Waiting | undefined {
  const heads = new Map<string, Waiting>();
  const claims = new Map(host);
  for (const scan of queue) {
    if ((account.get(scan.account) ?? 0) >= caps.perAccount) continue;
    // Who came first has a claim on the host's slot, even while another account has the next turn.
    if (count(claims, scan.host) > caps.perHost) continue;
    if (!heads.has(scan.account)) heads.set(scan.account, scan);
  }
  const runningOf = (scan: Waiting) => account.get(scan.account) ?? 0;
  return [...heads.values()].toSorted((a, b) => runningOf(a) - runningOf(b) || byArrival(a, b))[0];
}

const byArrival = (a: Waiting, b: Waiting): number =>
  a.since - b.since || (a.id < b.id ? -1 : Number(a.id > b.id));

function tally(scans: readonly Contender[], key: "account" | "host"): Map<string, number> {
  const counts = new Map<string, number>();
  for (const scan of scans) count(counts, scan[key]);
  return counts;
}

function count(counts: Map<string, number>, key: string): number {
  const counted = (counts.get(key) ?? 0) + 1;
  counts.set(key, counted);
  return counted;
}
