import {
  type Endpoint,
  type AddressFamily,
  familyOf,
  hostOf,
  isolationFailure,
  scanFailure,
  type IsolationProof,
  type ScanFailure,
  type ScanOrder,
} from "@glovebox/contract";

/** The result of a TCP connection attempt. `blocked`: no response in time, or unreachable. */
export type Reach = "connected" | "refused" | "blocked";

export interface IsolationDeps {
  /** Tries to connect by TCP for the timeout (2 s by default), and closes the connection immediately. */
  readonly reach: (address: string, port: number, timeoutMs?: number) => Promise<Reach>;
  /** Address families of this pod; empty if they are unknown. */
  readonly families: () => ReadonlySet<AddressFamily>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly today: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
  /**
   * Called when the canary, which was never reached, has been blocked long enough for requests to be sent
   * (docs/adr/0016). Their sender must stop if the proof fails in the end.
   */
  readonly onBlocked?: (() => void) | undefined;
}

export type Isolation =
  | { readonly proof: IsolationProof; readonly failure?: never }
  | { readonly failure: ScanFailure; readonly proof?: never };

/** Pause between two observations, in milliseconds. */
const PAUSE_MS = 500;

/** If the canary was reached before, it must be blocked in this many observations in a row, over this many milliseconds. */
const AFTER_CONNECTION = { observations: 3, ms: 2_000 };

interface Observation {
  readonly canary: Reach;
  readonly target: Reach;
  readonly startedMs: number;
}
type IsolatedOrder = Pick<ScanOrder, "url" | "pins"> & { isolation: NonNullable<ScanOrder["isolation"]> };

/**
 * Proves that the scanner is isolated: one observation in which the canary is blocked, in each address family of the pod,
 * and the target responds; several over 2 s if the canary was reached before. A refusal by the canary is not a
 * proof unless the control address also refuses (docs/adr/0005). Observes again until `waitSeconds` have passed, for
 * policies that take effect late. The controller checks that the canary was alive meanwhile (docs/adr/0010). Without proof the
 * scan fails, and the failure names the isolation or the target as the cause.
 */
export async function proveIsolation(order: IsolatedOrder, deps: IsolationDeps): Promise<Isolation> {
  const canaries = canariesToTry(order.isolation.canaries, deps.families());
  if (!canaries) return { failure: isolationFailure("CanaryFamilyMissing") };
  const started = deps.now();
  const blocked: Observation[] = []; // in a row, up to now
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
    if (seen.canary === "blocked" && seen.target === "connected") blocked.push(seen);
    else blocked.length = 0;
    if (isProof(blocked, connected, endedMs)) {
      const provenAt = deps.today().toISOString();
      return { proof: { canary: canaries[0]!, canaries, connected, attempts, provenAt, elapsedMs } };
    }
    const isOver = hasBegun || elapsedMs >= order.isolation.waitSeconds * 1000 || isRefusedByTarget(seen);
    if (isOver && blocked.length === 0) return { failure: failureOf(seen, attempts) };
    await deps.wait(PAUSE_MS);
  }
}

/** The endpoints in the address families of the pod; undefined if the canary lacks one of these families. */
function canariesToTry(
  canaries: readonly Endpoint[],
  families: ReadonlySet<AddressFamily>,
): Endpoint[] | undefined {
  if (families.size === 0) return [...canaries];
  const tried = canaries.filter(({ address }) => families.has(familyOf(address)));
  return tried.length === families.size ? tried : undefined;
}

function isProof(blocked: readonly Observation[], connected: number, now: number): boolean {
  const [first] = blocked;
  if (!first || connected === 0) return first !== undefined;
  return blocked.length >= AFTER_CONNECTION.observations && now - first.startedMs >= AFTER_CONNECTION.ms;
}

/**
 * How long the canary must be blocked after the target has responded, in milliseconds, many times its response time: until
 * requests may be sent, and until it is a proof.
 */
const BLOCKED_MS = { beforeRequests: 100, min: 500, max: 2_000, timesTarget: 5 };

/** Connects to each endpoint of the canary and to the target at the same time. */
async function observe(
  order: IsolatedOrder,
  canaries: readonly Endpoint[],
  deps: IsolationDeps,
): Promise<Observation> {
  const url = new URL(order.url);
  const addresses = order.pins.filter((pin) => pin.host === hostOf(url)).flatMap((pin) => pin.addresses);
  const startedMs = deps.now();
  const probes = canaries.map((canary) => probeCanary(canary, order.isolation, deps));
  const target = await best(addresses.map((one) => deps.reach(one, Number(url.port || 443))));
  const observeCanary = async (waitMs: number): Promise<Reach> =>
    worst(await Promise.all(probes.map((probe) => probe.reachOf(target, waitMs))));
  const { beforeRequests, min, max, timesTarget } = BLOCKED_MS;
  const enough = Math.min(max, timesTarget * (deps.now() - startedMs));
  const beginMs = Math.max(beforeRequests, enough);
  const canary = await observeCanary(beginMs);
  if (target !== "connected" || canary !== "blocked") return { canary, target, startedMs };
  deps.onBlocked?.();
  return { canary: beginMs < min ? await observeCanary(min - beginMs) : canary, target, startedMs };
}

/** Of all endpoints: one that is reached disproves the isolation. */
const worst = (seen: readonly Reach[]): Reach =>
  seen.find((one) => one === "connected") ?? seen.find((one) => one === "refused") ?? "blocked";

/**
 * Connects to the canary, and again after the target has responded: so neither a network that is not ready yet nor a change
 * between the two is mistaken for isolation. The canary is nearer than any target, so the target's response time determines how
 * long to wait for it.
 */
function probeCanary(
  { address, port }: Endpoint,
  { controlEndpoints }: IsolatedOrder["isolation"],
  { reach }: IsolationDeps,
): { reachOf(target: Reach, waitMs: number): Promise<Reach> } {
  let early: Reach | undefined;
  const first = reach(address, port).then((seen) => (early = seen));
  const control = controlEndpoints.find((one) => familyOf(one.address) === familyOf(address));
  /** A canary that died refuses, as does a network that rejects what it forbids; at a control address only the network refuses. */
  const compared = async (seen: Reach): Promise<Reach> =>
    seen === "refused" && control && (await reach(control.address, control.port)) === "refused"
      ? "blocked"
      : seen;
  return {
    async reachOf(target, waitMs) {
      if (target !== "connected" || isResponse(early)) return compared(await first);
      const second = reach(address, port, waitMs);
      const responded = first.then((seen) => (isResponse(seen) ? seen : second));
      return compared(await Promise.race([responded, second]));
    },
  };
}

const isResponse = (reach: Reach | undefined): boolean => reach === "connected" || reach === "refused";

/** The first address that connects is enough; otherwise the best of all results. */
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

/** The canary is blocked and the target itself refuses: waiting longer changes nothing. */
const isRefusedByTarget = ({ canary, target }: Observation): boolean =>
  canary === "blocked" && target === "refused";

function failureOf({ canary, target }: Observation, attempts: number): ScanFailure {
  if (canary === "blocked")
    return scanFailure(target === "refused" ? "connection_refused" : "target_timeout");
  const times = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  return canary === "connected"
    ? isolationFailure("CanaryReachable", `After ${times} it still accepted the connection.`)
    : isolationFailure("CanaryRefused", `After ${times} it was still refused.`);
}
