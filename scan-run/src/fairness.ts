/** A scan that is queued, or has reserved a slot. */
export interface Candidate {
  /** Sorts by the time of submission. */
  readonly id: string;
  readonly account: string;
  /** Host of the target, as URL.hostname has it. */
  readonly host: string;
}

export interface QueuedScan extends Candidate {
  /** When it was submitted, in milliseconds. */
  readonly since: number;
  /** The number of the last admission of the account, which grows; 0 or absent for none. */
  readonly lastAdmission?: number;
}

/** How many scans may run at the same time: in all, for one account, against one host. */
export interface SlotLimits {
  readonly total: number;
  readonly perAccount: number;
  readonly perHost: number;
}

/**
 * The queued scans that may start now, in order. Each free slot goes to the account with the fewest running scans, then to the
 * account whose last admission is longest ago, and within it to the oldest scan. If a host has too few slots, they go to its
 * oldest queued scans of any account, so that new scans never starve an old one. `reserved` are the scans with a
 * running Job, and those that were just admitted; none of them is queued.
 */
export function admit(queued: readonly QueuedScan[], reserved: Reservations, limits: SlotLimits): string[] {
  const ordered = queued.toSorted(byAge);
  const queues: Queues = {
    limits,
    accounts: queuesBy("account", ordered, (name) => reserved.ofAccount(name)),
    hosts: queuesBy("host", ordered, (name) => reserved.ofHost(name)),
    admitted: new Set(),
  };
  for (let free = limits.total - reserved.total; free > 0; free--) {
    const next = nextOf(queues);
    if (!next) break;
    const [account, host] = [queues.accounts.get(next.account)!, queues.hosts.get(next.host)!];
    queues.admitted.add(next.id);
    account.reserved++;
    account.lastAdmission = Number.MAX_SAFE_INTEGER;
    host.reserved++;
    host.queued--;
  }
  return [...queues.admitted];
}

/** The queued scans of one account or against one host, the oldest first. */
interface Queue {
  readonly scans: readonly QueuedScan[];
  reserved: number;
  /** How many of them have not been admitted. */
  queued: number;
  lastAdmission: number;
}

interface Queues {
  readonly limits: SlotLimits;
  readonly accounts: ReadonlyMap<string, Queue>;
  readonly hosts: ReadonlyMap<string, Queue>;
  readonly admitted: Set<string>;
}

function queuesBy(
  key: "account" | "host",
  ordered: readonly QueuedScan[],
  reservedOf: (name: string) => number,
): Map<string, Queue> {
  const groups = [...Map.groupBy(ordered, (scan) => scan[key])];
  return new Map(
    groups.map(([name, scans]) => [
      name,
      {
        scans,
        reserved: reservedOf(name),
        queued: scans.length,
        lastAdmission: scans[0]!.lastAdmission ?? 0,
      },
    ]),
  );
}

interface Head {
  readonly queue: Queue;
  readonly scan: QueuedScan;
}

function nextOf(queues: Queues): QueuedScan | undefined {
  const { limits, accounts, admitted } = queues;
  let best: Head | undefined;
  for (const queue of accounts.values()) {
    if (queue.reserved >= limits.perAccount) continue;
    if (best && queue.reserved > best.queue.reserved) continue;
    const scan = queue.scans.find((one) => !admitted.has(one.id) && hasHostSlot(one, queues));
    if (scan && (!best || compare({ queue, scan }, best) < 0)) best = { queue, scan };
  }
  return best?.scan;
}

const compare = (a: Head, b: Head): number =>
  a.queue.reserved - b.queue.reserved ||
  a.queue.lastAdmission - b.queue.lastAdmission ||
  byAge(a.scan, b.scan);

/** Slots of a host go to older scans first, even if another account is next. */
function hasHostSlot(scan: QueuedScan, { limits, accounts, hosts, admitted }: Queues): boolean {
  const { scans, reserved, queued } = hosts.get(scan.host)!;
  let free = limits.perHost - reserved;
  if (free >= queued) return true;
  for (const older of scans) {
    if (free <= 0) return false;
    if (older === scan) return true;
    if (admitted.has(older.id)) continue;
    if (accounts.get(older.account)!.reserved < limits.perAccount) free--;
  }
  return false;
}

const byAge = (a: QueuedScan, b: QueuedScan): number =>
  a.since - b.since || (a.id < b.id ? -1 : Number(a.id > b.id));

/** Scans that have reserved a slot, counted by account and host. */
export class Reservations {
  readonly #candidates = new Map<string, Candidate>();
  readonly #accounts = new Map<string, number>();
  readonly #hosts = new Map<string, number>();

  get total(): number {
    return this.#candidates.size;
  }

  ofAccount(account: string): number {
    return this.#accounts.get(account) ?? 0;
  }

  ofHost(host: string): number {
    return this.#hosts.get(host) ?? 0;
  }

  has(id: string): boolean {
    return this.#candidates.has(id);
  }

  /** Replaces one of the same id: its account may not have been known. */
  put(candidate: Candidate): void {
    this.delete(candidate.id);
    this.#candidates.set(candidate.id, candidate);
    count(this.#accounts, candidate.account, 1);
    count(this.#hosts, candidate.host, 1);
  }

  /** True when it had a slot. */
  delete(id: string): boolean {
    const candidate = this.#candidates.get(id);
    if (!candidate) return false;
    this.#candidates.delete(id);
    count(this.#accounts, candidate.account, -1);
    count(this.#hosts, candidate.host, -1);
    return true;
  }
}

function count(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const after = (counts.get(name) ?? 0) + by;
  if (after === 0) counts.delete(name);
  else counts.set(name, after);
}
