import { scanFailure, type IsolationProof, type ScanFailure, type ScanOrder } from "@glovebox/contract";

/** What an attempt at a TCP connection came to. `blocked`: no answer in time, or unreachable. */
export type Reach = "connected" | "refused" | "blocked";

export interface IsolationDeps {
  /** Tries to connect by TCP, for so many milliseconds or 2 s, and closes the connection at once. */
  readonly reach: (address: string, port: number, timeoutMs?: number) => Promise<Reach>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly today: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
}

export type Isolation =
  | { readonly proof: IsolationProof; readonly failure?: never }
  | { readonly failure: ScanFailure; readonly proof?: never };

/** Pause between two observations, in milliseconds. */
const PAUSE_MS = 500;

type Observation = { readonly canary: Reach; readonly target: Reach };
type SealedOrder = Pick<ScanOrder, "url" | "pins"> & { isolation: NonNullable<ScanOrder["isolation"]> };

/**
 * Proves that the scanner is sealed: one observation in which the canary is blocked and the target answers. A canary
 * that refuses is no proof, unless the network refuses where nobody is, too (docs/adr/0005). Observes again until
 * `waitSeconds` have passed, for policies that take effect late. No proof, no scan: the failure says whether the seal
 * or the target is to blame.
 */
export async function proveIsolation(order: SealedOrder, deps: IsolationDeps): Promise<Isolation> {
  const { canary, waitSeconds } = order.isolation;
  const started = deps.now();
  for (let attempts = 1; ; attempts++) {
    const seen = await observe(order, deps);
    const elapsedMs = Math.round(deps.now() - started);
    if (seen.canary === "blocked" && seen.target === "connected")
      return { proof: { canary, attempts, provenAt: deps.today().toISOString(), elapsedMs } };
    const isOver = elapsedMs >= waitSeconds * 1000 || isRefusedByTarget(seen);
    if (isOver) return { failure: failureOf(seen, attempts) };
    await deps.wait(PAUSE_MS);
  }
}

/** How long the canary must be silent once the target has answered, in milliseconds: many times what it would take. */
const SILENCE = { least: 500, most: 2_000, timesTarget: 5 };

/**
 * Canary and target at the same time, and the canary once more when the target has answered: so neither a network that
 * is not there yet nor a change between the two can be mistaken for a seal. The canary is nearer than any target: how
 * long the target took to answer says how long to wait for it.
 */
async function observe(
  { url, pins, isolation }: SealedOrder,
  { reach, now }: IsolationDeps,
): Promise<Observation> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = pins.filter((pin) => pin.host === host).flatMap((pin) => pin.addresses);
  const { address, port: canaryPort } = isolation.canary;
  const started = now();
  let early: Reach | undefined;
  const first = reach(address, canaryPort).then((seen) => (early = seen));
  const target = await best(addresses.map((one) => reach(one, Number(port || 443))));
  if (target !== "connected" || isAnswer(early))
    return { canary: await judged(await first, isolation, reach), target };
  const { least, most, timesTarget } = SILENCE;
  const patienceMs = Math.min(most, Math.max(least, timesTarget * (now() - started)));
  const second = reach(address, canaryPort, patienceMs);
  const answered = first.then((seen) => (isAnswer(seen) ? seen : second));
  return { canary: await judged(await Promise.race([answered, second]), isolation, reach), target };
}

const isAnswer = (reach: Reach | undefined): boolean => reach === "connected" || reach === "refused";

/** A canary that died refuses as a network does that rejects what it forbids; only the network refuses in nobody's name. */
async function judged(
  seen: Reach,
  { vacant }: SealedOrder["isolation"],
  reach: IsolationDeps["reach"],
): Promise<Reach> {
  if (seen !== "refused" || !vacant) return seen;
  return (await reach(vacant.address, vacant.port)) === "refused" ? "blocked" : "refused";
}

/** The first address that connects is enough; else the best of what all of them say. */
async function best(reaches: readonly Promise<Reach>[]): Promise<Reach> {
  const connected = reaches.map(async (reach) => {
    const seen = await reach;
    if (seen !== "connected") throw new Error("Not connected");
    return seen;
  });
  return Promise.any(connected).catch(async () =>
    (await Promise.all(reaches)).includes("refused") ? "refused" : "blocked",
  );
}

/** The seal holds and the target itself says no: waiting longer changes nothing. */
const isRefusedByTarget = ({ canary, target }: Observation): boolean =>
  canary === "blocked" && target === "refused";

function failureOf({ canary, target }: Observation, attempts: number): ScanFailure {
  if (canary === "blocked")
    return scanFailure(target === "refused" ? "connection_refused" : "target_timeout");
  return scanFailure(
    "isolation_not_proven",
    `After ${attempts} ${attempts === 1 ? "attempt" : "attempts"} the canary still ${canary === "connected" ? "accepted" : "refused"} the connection.`,
  );
}
