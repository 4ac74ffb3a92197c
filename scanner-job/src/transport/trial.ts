import type { ProbeRequest, ProbeResponse } from "./exchange.ts";
import { isLost } from "./network-error.ts";

/** What became of a request that was sent alone, on a new connection. */
export type Trial =
  /** The target responded. */
  | { readonly outcome: "responded"; readonly response: ProbeResponse }
  /** The connection was lost, and the target went on: a firewall, or a server that resets connections at random. */
  | { readonly outcome: "cut" }
  /**
   * The connection was lost, and with it other connections, or the next requests; where there is a response, after it. `control`
   * got a response before.
   */
  | {
      readonly outcome: "crashed";
      readonly control: ProbeResponse;
      readonly response?: ProbeResponse | undefined;
    }
  /** The target does not respond to the control. */
  | { readonly outcome: "away" };

/** How one request is sent once. */
export interface SendOnceOptions {
  readonly maxBodyBytes?: number | undefined;
  /** On a separate connection. */
  readonly fresh?: true;
}

export interface TrialDeps {
  /** Sends one request once, past the gate. */
  readonly send: (request: ProbeRequest, options?: SendOnceOptions) => Promise<ProbeResponse>;
  /** Whether the target has closed any of the connections that are open now; to be asked later. */
  readonly watchConnections: () => () => boolean;
  readonly wait: (ms: number) => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Waits between the controls after a lost connection: a supervisor that restarts the target takes no longer. */
const BACKOFF_MS = [0, 50, 100, 200, 400, 800, 1_500];
/** Controls that are lost in a row where the target is away: one may be lost randomly. */
export const LOST_CONTROLS = 2;
/** Time for the ends of other connections to arrive. */
const SETTLE_MS = 20;
/** When it is asked whether the target is still there after a response. */
const DELAYS_MS = [20, 100];
/** Idle connections may end for other reasons in a longer time. */
const AT_ONCE_MS = 1_000;
/** Status of a gateway whose upstream is away. */
const WITHOUT_UPSTREAM = new Set([502, 503, 504]);
/** Status of a gateway whose upstream closed the connection at the request. */
export const LOST_UPSTREAM = 502;

/** Sends requests alone, to see what becomes of the target. */
export class Trials {
  readonly #deps: TrialDeps;

  constructor(deps: TrialDeps) {
    this.#deps = deps;
  }

  /** The response to a control as soon as there is one, and how many were lost before. */
  async untilBack(
    control: ProbeResponse,
  ): Promise<{ readonly response?: ProbeResponse; readonly lost: number }> {
    for (const [lost, ms] of BACKOFF_MS.entries()) {
      if (ms > 0) await this.#deps.wait(ms);
      const response = await this.#sendControl(control);
      if (response) return { response, lost };
    }
    return { lost: BACKOFF_MS.length };
  }

  /** Sends the request to a target that has just responded to the control; with `isDelayed`, looks whether it crashes later. */
  async run(
    request: ProbeRequest,
    options: {
      readonly control: ProbeResponse;
      readonly isDelayed: boolean;
      readonly maxBodyBytes?: number | undefined;
    },
  ): Promise<Trial> {
    const { control, isDelayed, maxBodyBytes } = options;
    const areStable = await this.#keepsConnections(control);
    const watched = this.#deps.watchConnections();
    const hasClosed = (): boolean => areStable && watched();
    const started = this.#deps.now();
    const response = await orLost(this.#deps.send(request, { fresh: true, maxBodyBytes }));
    if (response && (response.status !== LOST_UPSTREAM || control.status === LOST_UPSTREAM)) {
      const survives = !isDelayed || (await this.#survives(control, hasClosed));
      return survives ? { outcome: "responded", response } : { outcome: "crashed", control, response };
    }
    const isAtOnce = this.#deps.now() - started < AT_ONCE_MS;
    await this.#deps.wait(SETTLE_MS);
    const closesOthers = isAtOnce && hasClosed(); // before a control may lose a connection
    const isDown = await this.#isDown(control);
    if (response) return isDown ? { outcome: "crashed", control } : { outcome: "responded", response };
    return isDown || closesOthers ? { outcome: "crashed", control } : { outcome: "cut" };
  }

  /** Whether the target is still there a while after a response. */
  async #survives(control: ProbeResponse, hasClosed: () => boolean): Promise<boolean> {
    for (const ms of DELAYS_MS) {
      await this.#deps.wait(ms);
      if (hasClosed()) return false;
      if (!(await this.#sendControl(control))) return !(await this.#isDown(control));
    }
    return true;
  }

  async #isDown(control: ProbeResponse): Promise<boolean> {
    for (let lost = 0; lost < LOST_CONTROLS; lost++) if (await this.#sendControl(control)) return false;
    return true;
  }

  /** Whether open connections survive a harmless request on another one. */
  async #keepsConnections({ request }: ProbeResponse): Promise<boolean> {
    const hasClosed = this.#deps.watchConnections();
    const response = await orLost(this.#deps.send(request, { fresh: true }));
    await this.#deps.wait(SETTLE_MS);
    return response !== undefined && !hasClosed();
  }

  /** The response to a harmless request; undefined when there is none, or a gateway says that there is none. */
  async #sendControl({ request, status }: ProbeResponse): Promise<ProbeResponse | undefined> {
    const response = await orLost(this.#deps.send(request));
    const isAway = response && response.status !== status && WITHOUT_UPSTREAM.has(response.status);
    return isAway ? undefined : response;
  }
}

/** The response; undefined where the connection is lost. */
async function orLost(response: Promise<ProbeResponse>): Promise<ProbeResponse | undefined> {
  try {
    return await response;
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}
