import type { ProbeRequest, Reply } from "./exchange.ts";
import { isLost } from "./network-error.ts";

/** What became of a request that was sent alone, on a new connection. */
export type Trial =
  /** The target responded. */
  | { readonly outcome: "answered"; readonly reply: Reply }
  /** The connection was lost, and the target went on: a firewall, or a server that resets connections at random. */
  | { readonly outcome: "cut" }
  /**
   * The connection was lost, and with it other connections, or the next requests; where there is a reply, after it. `control` got a
   * response before.
   */
  | { readonly outcome: "crashed"; readonly control: Reply; readonly reply?: Reply | undefined }
  /** The target does not respond to the control. */
  | { readonly outcome: "away" };

/** How one request is sent once. */
export interface SendOnceOptions {
  readonly maxBodyBytes?: number | undefined;
  /** On a connection of its own. */
  readonly fresh?: true;
}

export interface TrialDeps {
  /** Sends one request once, past the gate. */
  readonly send: (request: ProbeRequest, options?: SendOnceOptions) => Promise<Reply>;
  /** Whether the target has closed any of the connections that are open now; to be asked later. */
  readonly watchConnections: () => () => boolean;
  readonly wait: (ms: number) => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Waits between the controls after a lost connection: a supervisor that restarts the target takes no longer. */
const BACKOFF_MS = [0, 50, 100, 200, 400, 800, 1_500];
/** Controls that are lost in a row where the target is away: one may be by chance. */
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
  async untilBack(control: Reply): Promise<{ readonly reply?: Reply; readonly lost: number }> {
    for (const [lost, ms] of BACKOFF_MS.entries()) {
      if (ms > 0) await this.#deps.wait(ms);
      const reply = await this.#sendControl(control);
      if (reply) return { reply, lost };
    }
    return { lost: BACKOFF_MS.length };
  }

  /** Sends the request to a target that has just responded to the control; with `isDelayed`, looks whether it crashes later. */
  async run(
    request: ProbeRequest,
    options: {
      readonly control: Reply;
      readonly isDelayed: boolean;
      readonly maxBodyBytes?: number | undefined;
    },
  ): Promise<Trial> {
    const { control, isDelayed, maxBodyBytes } = options;
    const areStable = await this.#keepsConnections(control);
    const watched = this.#deps.watchConnections();
    const hasClosed = (): boolean => areStable && watched();
    const started = this.#deps.now();
    const reply = await orLost(this.#deps.send(request, { fresh: true, maxBodyBytes }));
    if (reply && (reply.status !== LOST_UPSTREAM || control.status === LOST_UPSTREAM)) {
      const survives = !isDelayed || (await this.#survives(control, hasClosed));
      return survives ? { outcome: "answered", reply } : { outcome: "crashed", control, reply };
    }
    const isAtOnce = this.#deps.now() - started < AT_ONCE_MS;
    await this.#deps.wait(SETTLE_MS);
    const closesOthers = isAtOnce && hasClosed(); // before a control may lose a connection
    const isGone = await this.#isGone(control);
    if (reply) return isGone ? { outcome: "crashed", control } : { outcome: "answered", reply };
    return isGone || closesOthers ? { outcome: "crashed", control } : { outcome: "cut" };
  }

  /** Whether the target is still there a while after a response. */
  async #survives(control: Reply, hasClosed: () => boolean): Promise<boolean> {
    for (const ms of DELAYS_MS) {
      await this.#deps.wait(ms);
      if (hasClosed()) return false;
      if (!(await this.#sendControl(control))) return !(await this.#isGone(control));
    }
    return true;
  }

  async #isGone(control: Reply): Promise<boolean> {
    for (let lost = 0; lost < LOST_CONTROLS; lost++) if (await this.#sendControl(control)) return false;
    return true;
  }

  /** Whether open connections survive a harmless request on another one. */
  async #keepsConnections({ request }: Reply): Promise<boolean> {
    const hasClosed = this.#deps.watchConnections();
    const reply = await orLost(this.#deps.send(request, { fresh: true }));
    await this.#deps.wait(SETTLE_MS);
    return reply !== undefined && !hasClosed();
  }

  /** The response to a harmless request; undefined when there is none, or a gateway says that there is none. */
  async #sendControl({ request, status }: Reply): Promise<Reply | undefined> {
    const reply = await orLost(this.#deps.send(request));
    const isAway = reply && reply.status !== status && WITHOUT_UPSTREAM.has(reply.status);
    return isAway ? undefined : reply;
  }
}

/** The response; undefined where the connection is lost. */
async function orLost(response: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await response;
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}
