import { scanFailure, type IsolationProof, type ScanFailure, type ScanOrder } from "@glovebox/contract";

/** What an attempt at a TCP connection came to. `blocked`: no answer in time, or unreachable. */
export type Reach = "connected" | "refused" | "blocked";

export interface IsolationDeps {
  /** Tries one TCP connection, for a bounded time, and closes it at once. */
  readonly reach: (address: string, port: number) => Promise<Reach>;
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
 * that refuses is no proof: something answered. Observes again until `waitSeconds` have passed, for policies that
 * take effect late. No proof, no scan: the failure says whether the seal or the target is to blame.
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

/** Canary and target at the same time, so that no change between the two can be mistaken for a seal. */
async function observe(
  { url, pins, isolation }: SealedOrder,
  { reach }: IsolationDeps,
): Promise<Observation> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = pins.filter((pin) => pin.host === host).flatMap((pin) => pin.addresses);
  const [canary, ...targets] = await Promise.all([
    reach(isolation.canary.address, isolation.canary.port),
    ...addresses.map((address) => reach(address, Number(port || 443))),
  ]);
  return { canary, target: best(targets) };
}

const best = (reaches: readonly Reach[]): Reach =>
  (["connected", "refused"] as const).find((reach) => reaches.includes(reach)) ?? "blocked";

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
