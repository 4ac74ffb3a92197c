import { CrashSuspects, type Suspect } from "./crash-suspects.ts";
import type { ProbeRequest, Reply } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import { isLost, networkError } from "./network-error.ts";

/** What became of a request that was sent alone, on a new connection. */
export type Trial =
  /** The target responded. */
  | { readonly outcome: "answered"; readonly reply: Reply }
  /** The connection was lost, and the target went on: a firewall, or a server that resets connections at random. */
  | { readonly outcome: "cut" }
  /**
   * The connection was lost, and with it other connections, or the next request; where there is a reply, after it. `control` got a
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

interface TrialOptions extends SendOnceOptions {
  /** The response to a request that is known to be harmless. */
  readonly control: Reply;
  /** Looks whether the target crashes after its response. */
  readonly isDelayed?: boolean | undefined;
}

export interface LostConnectionsDeps {
  readonly gate: Pick<Gate, "alone">;
  /** Sends one request once, past the gate. */
  readonly send: (request: ProbeRequest, options?: SendOnceOptions) => Promise<Reply>;
  /** Whether the target has closed any of the connections that are open now; to be asked later. */
  readonly watchConnections: () => () => boolean;
  readonly wait: (ms: number) => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Method and path template of a request. */
  readonly routeOf: (request: ProbeRequest) => string;
}

/** Waits between the controls after a lost connection: a supervisor that restarts the target takes no longer. */
const BACKOFF_MS = [0, 50, 100, 200, 400, 800, 1_500];
/** Wait for a target that may be starting. */
const START_MS = 200;
/** Controls that are lost in a row where the target is away. */
const LOST_CONTROLS = 2;
/** Time for the ends of other connections to arrive. */
const SETTLE_MS = 20;
/** When it is asked whether the target is still there after a response. */
const DELAYS_MS = [20, 100];
/** Requests with a response that may have caused an outage. */
const MAX_RECENT = 16;
/** A target that is away again and again is unreliable, whatever is sent. */
const MAX_SEARCHES = 3;
/** Idle connections may end for other reasons in a longer time. */
const AT_ONCE_MS = 1_000;
/** Status of a gateway whose upstream is away. */
const WITHOUT_UPSTREAM = new Set([502, 503, 504]);
/** Status of a gateway whose upstream closed the connection at the request. */
const LOST_UPSTREAM = 502;

/**
 * Finds out why a connection was lost, as soon as it is: waits until the target is back, and sends the request once more, alone. Most
 * get a response then: they only were in flight when the target crashed, or the network failed. A request at which the target crashes
 * again is a suspect, and nothing like it is sent until it is confirmed.
 */
export class LostConnections {
  readonly #deps: LostConnectionsDeps;
  readonly #suspects = new CrashSuspects();
  /** The first read of the scan that got a response: a request that is known to be harmless. */
  #control: Reply | undefined;
  /** True while the target is away for longer than is waited for here. */
  #isAway = false;
  /** Requests that were in flight when the target went away. */
  readonly #unexplained = new Set<ProbeRequest>();
  /** The last requests that got a response, the latest last. */
  #recent: ProbeRequest[] = [];
  /** True from an outage until its cause is known, or is not found. */
  #hasBeenAway = false;
  /** Searches among those requests since one of them was the cause. */
  #searches = 0;
  /** Routes that respond with 502 while the target does not crash. */
  readonly #failingUpstreams = new Set<string>();

  constructor(deps: LostConnectionsDeps) {
    this.#deps = deps;
  }

  /** Requests at which the target crashed twice: with others in flight, and alone. */
  get suspects(): readonly Suspect[] {
    return this.#suspects.crashes;
  }

  /** True once the target has crashed at so many requests that no more may be tried. */
  get isExhausted(): boolean {
    return this.#suspects.isExhausted;
  }

  /** Sends a request, unless the target would crash at it. @throws NetworkError */
  async send(request: ProbeRequest, options?: SendOnceOptions): Promise<Reply> {
    this.#refuseSuspect(request);
    try {
      const reply = await this.#deps.send(request, options);
      if (this.#hasLostUpstream(reply)) throw networkError("reset");
      this.#recent = [...this.#recent.slice(1 - MAX_RECENT), request];
      return this.#responded(request, reply);
    } catch (error) {
      if (isLost(error) && !this.#isAway) this.#unexplained.add(request);
      throw error;
    }
  }

  /** Explains a lost connection: the response to the request when it is sent again. Runs alone. @throws NetworkError */
  async explain(error: unknown, request: ProbeRequest, options?: SendOnceOptions): Promise<Reply> {
    if (this.#isAway) throw error; // it remains unexplained until the target is back
    this.#unexplained.delete(request);
    this.#refuseSuspect(request);
    if (!this.#control) return this.#responded(request, await this.#afterPause(request, options));
    const trial = await this.#trial(request, { control: this.#control, ...options });
    if (trial.outcome === "answered") {
      if (this.#unexplained.size === 0 && this.#hasBeenAway) await this.#findDelayedCrash(this.#control);
      return trial.reply;
    }
    if (trial.outcome === "away") {
      this.#unexplained.add(request);
      throw error;
    }
    throw networkError(trial.outcome === "cut" ? "cut" : "crash", error);
  }

  /**
   * After an outage: sends what was in flight when it began, one at a time, until the target crashes again. True when it did, and is
   * away.
   */
  async findCause(): Promise<boolean> {
    for (const request of this.#unexplained) {
      this.#unexplained.delete(request);
      if (this.#suspects.refusalOf(this.#deps.routeOf(request), request)) continue;
      const { outcome } = await this.try(request);
      if (outcome === "away") this.#unexplained.add(request);
      if (outcome === "crashed") this.#unexplained.clear();
      if (outcome === "away" || outcome === "crashed") return this.#isAway;
    }
    return false;
  }

  /** Sends a request alone, whatever is known of it; where the target crashes, waits shortly until it is back. */
  async try(
    request: ProbeRequest,
    {
      control = this.#control,
      isDelayed,
    }: { readonly control?: Reply | undefined; readonly isDelayed?: boolean } = {},
  ): Promise<Trial> {
    if (!control) return { outcome: "away" };
    return this.#deps.gate.alone(() => this.#trial(request, { control, isDelayed }));
  }

  /** No request that was lost caused the outage: one that got a response before may have. */
  async #findDelayedCrash(control: Reply): Promise<void> {
    this.#hasBeenAway = false;
    if (this.#searches++ >= MAX_SEARCHES) return;
    for (const request of this.#recent.splice(0).toReversed()) {
      const { outcome } = await this.#trial(request, { control, isDelayed: true });
      if (outcome === "crashed") this.#searches = 0;
      if (outcome === "crashed" || outcome === "away") return;
    }
  }

  async #trial(
    request: ProbeRequest,
    { control: known, maxBodyBytes, isDelayed }: TrialOptions,
  ): Promise<Trial> {
    const { send, watchConnections, now } = this.#deps;
    const control = await this.#untilBack(known);
    if (!control) return { outcome: "away" };
    const areStable = await this.#keepsConnections(control);
    const hasClosed = watchConnections();
    const started = now();
    const reply = await orLost(send(request, { fresh: true, maxBodyBytes }));
    if (reply && !this.#hasLostUpstream(reply)) {
      this.#responded(request, reply);
      const isSuspicious = isDelayed || this.#hasBeenAway;
      const survives = !isSuspicious || (await this.#survives(known, () => areStable && hasClosed()));
      return survives ? { outcome: "answered", reply } : this.#crashed(request, { control, reply });
    }
    const isAtOnce = now() - started < AT_ONCE_MS;
    await this.#deps.wait(SETTLE_MS);
    const closesOthers = areStable && isAtOnce && hasClosed(); // before a control may lose a connection
    const isGone = await this.#isGone(known);
    if (reply && !isGone) {
      this.#failingUpstreams.add(this.#deps.routeOf(request));
      return { outcome: "answered", reply: this.#responded(request, reply) };
    }
    if (isGone || closesOthers) return this.#crashed(request, { control });
    this.#suspects.add("cut", { route: this.#deps.routeOf(request), request });
    return { outcome: "cut" };
  }

  async #crashed(
    request: ProbeRequest,
    { control, reply }: { control: Reply; reply?: Reply },
  ): Promise<Trial> {
    const route = this.#deps.routeOf(request);
    this.#suspects.add("crash", { route, request, isDelayed: reply !== undefined });
    await this.#untilBack(control);
    this.#hasBeenAway = false;
    return { outcome: "crashed", control, reply };
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

  /** Whether several controls in a row are lost: one may be by chance. */
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

  /** The response to the control; undefined when the target is not back in time. */
  async #untilBack(control: Reply): Promise<Reply | undefined> {
    for (const [lost, ms] of BACKOFF_MS.entries()) {
      if (ms > 0) await this.#deps.wait(ms);
      const reply = await this.#sendControl(control);
      if (reply) return reply;
      if (lost + 1 >= LOST_CONTROLS) this.#hasBeenAway = true;
    }
    this.#isAway = true;
    return undefined;
  }

  /** The response to a harmless request; undefined when there is none, or a gateway says that there is none. */
  async #sendControl({ request, status }: Reply): Promise<Reply | undefined> {
    const reply = await orLost(this.#deps.send(request));
    if (!reply || (reply.status !== status && WITHOUT_UPSTREAM.has(reply.status))) return undefined;
    this.#isAway = false;
    return reply;
  }

  /** Nothing has got a response in this scan yet: the target may be starting. */
  async #afterPause(request: ProbeRequest, options?: SendOnceOptions): Promise<Reply> {
    await this.#deps.wait(START_MS);
    return this.#deps.send(request, options);
  }

  #responded(request: ProbeRequest, reply: Reply): Reply {
    const route = this.#deps.routeOf(request);
    this.#isAway = false;
    this.#suspects.clear(route, request);
    if (request.method === "GET") this.#control ??= reply;
    return reply;
  }

  /** A gateway says that the connection to its upstream was lost. */
  #hasLostUpstream({ status, request }: Reply): boolean {
    return (
      status === LOST_UPSTREAM &&
      this.#control !== undefined &&
      this.#control.status !== LOST_UPSTREAM &&
      !this.#failingUpstreams.has(this.#deps.routeOf(request))
    );
  }

  #refuseSuspect(request: ProbeRequest): void {
    const refusal = this.#suspects.refusalOf(this.#deps.routeOf(request), request);
    if (refusal) throw networkError(refusal);
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
