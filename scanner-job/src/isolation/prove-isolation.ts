import {
  type Endpoint,
  type AddressFamily,
  familyOf,
  isolationFailure,
  scanFailure,
  type IsolationProof,
  type ScanFailure,
  type ScanOrder,
} from "@glovebox/contract";

/** What an attempt at a TCP connection came to. `blocked`: no answer in time, or unreachable. */
export type Reach = "connected" | "refused" | "blocked";

export interface IsolationDeps {
  /** Tries to connect by TCP, for so many milliseconds or 2 s, and closes the connection at once. */
  readonly reach: (address: string, port: number, timeoutMs?: number) => Promise<Reach>;
  /** Address families that this pod has; none where that cannot be known. */
  readonly families: () => ReadonlySet<AddressFamily>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly today: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
  /**
   * Called when the canary, which was never reached, has been blocked for so long that requests may be sent
   * (docs/adr/0016). Whoever sends them must stop when there is no proof in the end.
   */
  readonly onBlocked?: (() => void) | undefined;
}

export type Isolation =
  | { readonly proof: IsolationProof; readonly failure?: never }
  | { readonly failure: ScanFailure; readonly proof?: never };

/** Pause between two observations, in milliseconds. */
const PAUSE_MS = 500;

/** Once the canary was reached, its silence counts only if it lasts: observations in a row, over so many milliseconds. */
const AFTER_CONNECTION = { observations: 3, ms: 2_000 };

interface Observation {
  readonly canary: Reach;
  readonly target: Reach;
  readonly startedMs: number;
}
type SealedOrder = Pick<ScanOrder, "url" | "pins"> & { isolation: NonNullable<ScanOrder["isolation"]> };

/**
 * Proves that the scanner is sealed: one observation in which the canary is blocked, in each address family of the pod,
 * and the target answers; several over 2 s where the canary was reached before. A canary that refuses is no proof,
 * unless the network refuses where nobody is, too (docs/adr/0005). Observes again until `waitSeconds` have passed, for
 * policies that take effect late. That the canary lived meanwhile, the proof cannot say: who started the scan looks
 * after that (docs/adr/0010). No proof, no scan: the failure says whether the seal or the target is to blame.
 */
export async function proveIsolation(order: SealedOrder, deps: IsolationDeps): Promise<Isolation> {
  const canaries = canariesToTry(order.isolation.canaries, deps.families());
  if (!canaries) return { failure: isolationFailure("CanaryFamilyMissing") };
  const started = deps.now();
  const sealed: Observation[] = []; // in a row, up to now
  let connected = 0;
  for (let attempts = 1; ; attempts++) {
    let hasBegun = false;
    const onBlocked = (): void => {
      hasBegun = true;
      deps.onBlocked?.();
    };
    const seen = await observe(order, canaries, {
      ...deps,
      onBlocked: connected === 0 ? onBlocked : undefined,
    });
    const endedMs = deps.now();
    const elapsedMs = Math.round(endedMs - started);
    if (seen.canary === "connected") connected++;
    if (seen.canary === "blocked" && seen.target === "connected") sealed.push(seen);
    else sealed.length = 0;
    if (isProof(sealed, connected, endedMs)) {
      const provenAt = deps.today().toISOString();
      return { proof: { canary: canaries[0]!, canaries, connected, attempts, provenAt, elapsedMs } };
    }
    const isOver = hasBegun || elapsedMs >= order.isolation.waitSeconds * 1000 || isRefusedByTarget(seen);
    if (isOver && sealed.length === 0) return { failure: failureOf(seen, attempts) };
    await deps.wait(PAUSE_MS);
  }
}

/** Those of the families that the pod has; undefined where the canary has not all of these. */
function canariesToTry(
  canaries: readonly Endpoint[],
  families: ReadonlySet<AddressFamily>,
): Endpoint[] | undefined {
  if (families.size === 0) return [...canaries];
  const tried = canaries.filter(({ address }) => families.has(familyOf(address)));
  return tried.length === families.size ? tried : undefined;
}

function isProof(sealed: readonly Observation[], connected: number, now: number): boolean {
  const [first] = sealed;
  if (!first || connected === 0) return first !== undefined;
  return sealed.length >= AFTER_CONNECTION.observations && now - first.startedMs >= AFTER_CONNECTION.ms;
}

/**
 * How long the canary must be silent once the target has answered, in milliseconds, many times what it would take: until
 * requests may be sent, and until it is a proof.
 */
const SILENCE = { beforeRequests: 100, least: 500, most: 2_000, timesTarget: 5 };

/** Canary, at each of its endpoints, and target at the same time. */
async function observe(
  order: SealedOrder,
  canaries: readonly Endpoint[],
  deps: IsolationDeps,
): Promise<Observation> {
  const { hostname, port } = new URL(order.url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = order.pins.filter((pin) => pin.host === host).flatMap((pin) => pin.addresses);
  const startedMs = deps.now();
  const watched = canaries.map((canary) => watch(canary, order.isolation, deps));
  const target = await best(addresses.map((one) => deps.reach(one, Number(port || 443))));
  const look = async (patienceMs: number): Promise<Reach> =>
    worst(await Promise.all(watched.map((canary) => canary.beside(target, patienceMs))));
  const { beforeRequests, least, most, timesTarget } = SILENCE;
  const enough = Math.min(most, timesTarget * (deps.now() - startedMs));
  const beginMs = Math.max(beforeRequests, enough);
  const canary = await look(beginMs);
  if (target !== "connected" || canary !== "blocked") return { canary, target, startedMs };
  deps.onBlocked?.();
  return { canary: beginMs < least ? await look(least - beginMs) : canary, target, startedMs };
}

/** Of all endpoints: one that is reached is enough against a seal. */
const worst = (seen: readonly Reach[]): Reach =>
  seen.find((one) => one === "connected") ?? seen.find((one) => one === "refused") ?? "blocked";

/**
 * Tries the canary, and again once the target has answered: so neither a network that is not there yet nor a change
 * between the two can be mistaken for a seal. The canary is nearer than any target: how long the target took to answer
 * says how long to wait for it.
 */
function watch(
  { address, port }: Endpoint,
  { controlEndpoints }: SealedOrder["isolation"],
  { reach }: IsolationDeps,
): { beside(target: Reach, patienceMs: number): Promise<Reach> } {
  let early: Reach | undefined;
  const first = reach(address, port).then((seen) => (early = seen));
  const control = controlEndpoints.find((one) => familyOf(one.address) === familyOf(address));
  /** A canary that died refuses, as does a network that rejects what it forbids; at a control address only the network refuses. */
  const judged = async (seen: Reach): Promise<Reach> =>
    seen === "refused" && control && (await reach(control.address, control.port)) === "refused"
      ? "blocked"
      : seen;
  return {
    async beside(target, patienceMs) {
      if (target !== "connected" || isAnswer(early)) return judged(await first);
      const second = reach(address, port, patienceMs);
      const answered = first.then((seen) => (isAnswer(seen) ? seen : second));
      return judged(await Promise.race([answered, second]));
    },
  };
}

const isAnswer = (reach: Reach | undefined): boolean => reach === "connected" || reach === "refused";

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
  const times = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  return canary === "connected"
    ? isolationFailure("CanaryReachable", `After ${times} it still accepted the connection.`)
    : isolationFailure("CanaryRefused", `After ${times} it still did.`);
}
