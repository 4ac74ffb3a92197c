import { CrashSuspects, type Suspect } from "./crash-suspects.ts";
import { isSafe, type ProbeRequest, type ProbeResponse } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import { isLost, networkError } from "./network-error.ts";
import {
  LOST_CONTROLS,
  LOST_UPSTREAM,
  Trials,
  type SendOnceOptions,
  type Trial,
  type TrialDeps,
} from "./trial.ts";

export interface LostConnectionsDeps extends TrialDeps {
  readonly gate: Pick<Gate, "alone">;
  /** Method and path template of a request. */
  readonly routeOf: (request: ProbeRequest) => string;
  /** False for a write that may have been stored. */
  readonly mayRepeat: (request: ProbeRequest) => boolean;
}

interface TrialOptions {
  /** The response to a request that is known to be harmless. */
  readonly control: ProbeResponse;
  /** Looks whether the target crashes after its response. */
  readonly isDelayed?: boolean | undefined;
  readonly maxBodyBytes?: number | undefined;
}

/** Wait for a target that may be starting. */
const START_MS = 200;
/** Requests with a response that may have caused an outage. */
const MAX_RECENT = 16;
/** Of a target that loses more connections nothing can be concluded; this many must be lost first. */
const MAX_LOSSES = { share: 0.25, min: 20 };
/** How often a read must be lost alone, one time after the other: a server that resets connections at random responds before. */
const MAX_CUTS = 3;
/** A target that is away again and again is unreliable, regardless of what is sent. */
const MAX_SEARCHES = 3;

/**
 * Finds out why a connection was lost, as soon as it is: waits until the target is back, and sends the request once more, alone.
 * Most get a response then: they only were in flight when the target crashed, or the network failed. A request at which the target
 * crashes again is a suspect, and nothing like it is sent until it is confirmed.
 */
export class LostConnections {
  readonly #deps: LostConnectionsDeps;
  readonly #trials: Trials;
  readonly #suspects = new CrashSuspects();
  /** The first read of the scan that got a response: a request that is known to be harmless. */
  #control: ProbeResponse | undefined;
  /** True while the target is away for longer than is waited for here. */
  #isAway = false;
  /** Requests that were in flight when the target went away. */
  readonly #unexplained = new Set<ProbeRequest>();
  /** The last requests that got a response, the latest last. */
  #recent: ProbeRequest[] = [];
  #sent = 0;
  #lost = 0;
  /** True from an outage until its cause is known, or is not found. */
  #hasBeenAway = false;
  /** Searches among those requests since one of them was the cause. */
  #searches = 0;
  /** Routes that respond with 502 while the target does not crash. */
  readonly #failingUpstreams = new Set<string>();

  constructor(deps: LostConnectionsDeps) {
    this.#deps = deps;
    this.#trials = new Trials(deps);
  }

  /** Requests at which the target crashed twice: with others in flight, and alone. */
  get suspects(): readonly Suspect[] {
    return this.#suspects.crashes;
  }

  /** True once the target has crashed at too many requests for more to be tried. */
  get isExhausted(): boolean {
    return this.#suspects.isExhausted;
  }

  /** Sends a request, unless the target would crash at it. @throws NetworkError */
  async send(request: ProbeRequest, options?: SendOnceOptions): Promise<ProbeResponse> {
    this.#refuseSuspect(request);
    if (!this.#isAway) this.#sent++;
    try {
      const response = await this.#deps.send(request, options);
      if (this.#hasLostUpstream(response)) throw networkError("reset");
      this.#recent = [...this.#recent.slice(1 - MAX_RECENT), request];
      return this.#responded(request, response);
    } catch (error) {
      if (isLost(error) && !this.#isAway) {
        this.#lost++;
        this.#unexplained.add(request);
      }
      throw error;
    }
  }

  /** Explains a lost connection: the response to the request when it is sent again. Runs alone. @throws NetworkError */
  async explain(error: unknown, request: ProbeRequest, options?: SendOnceOptions): Promise<ProbeResponse> {
    if (!this.#deps.mayRepeat(request)) throw error;
    if (this.#isAway) throw error; // it remains unexplained until the target is back
    this.#unexplained.delete(request);
    this.#refuseSuspect(request);
    if (this.#lost >= MAX_LOSSES.min && this.#lost > MAX_LOSSES.share * this.#sent) throw error;
    if (!this.#control) return this.#responded(request, await this.#afterPause(request, options));
    const trial = await this.#trial(request, { control: this.#control, ...options });
    switch (trial.outcome) {
      case "responded":
        if (this.#unexplained.size === 0 && this.#hasBeenAway) await this.#findDelayedCrash(this.#control);
        return trial.response;
      case "away":
        this.#unexplained.add(request);
        throw error;
      case "cut":
        throw networkError("cut", error);
      case "crashed":
        throw networkError("crash", error);
    }
  }

  /**
   * After an outage: sends what was in flight when it began, one at a time, until the target crashes again. True when it did, and
   * is away.
   */
  async findCause(): Promise<boolean> {
    for (const request of this.#unexplained) {
      this.#unexplained.delete(request);
      if (!this.#deps.mayRepeat(request)) continue;
      if (this.#suspects.refusalOf(this.#deps.routeOf(request), request)) continue;
      const { outcome } = await this.try(request);
      if (outcome === "away") this.#unexplained.add(request);
      if (outcome === "crashed") this.#unexplained.clear();
      if (outcome === "away" || outcome === "crashed") return this.#isAway;
    }
    return false;
  }

  /** Sends a request alone, regardless of what is known of it; where the target crashes, waits shortly until it is back. */
  async try(
    request: ProbeRequest,
    {
      control = this.#control,
      isDelayed,
    }: { readonly control?: ProbeResponse | undefined; readonly isDelayed?: boolean } = {},
  ): Promise<Trial> {
    if (!control) return { outcome: "away" };
    return this.#deps.gate.alone(() => this.#trial(request, { control, isDelayed }));
  }

  /** No request that was lost caused the outage: one that got a response before may have. */
  async #findDelayedCrash(control: ProbeResponse): Promise<void> {
    this.#hasBeenAway = false;
    if (this.#searches++ >= MAX_SEARCHES) return;
    for (const request of this.#recent.splice(0).toReversed()) {
      if (!this.#deps.mayRepeat(request)) continue;
      const { outcome } = await this.#trial(request, { control, isDelayed: true });
      if (outcome === "crashed") this.#searches = 0;
      if (outcome === "crashed" || outcome === "away") return;
    }
  }

  async #trial(
    request: ProbeRequest,
    { control: known, isDelayed, maxBodyBytes }: TrialOptions,
  ): Promise<Trial> {
    const control = await this.#untilBack(known);
    if (!control) return { outcome: "away" };
    const run = () =>
      this.#trials.run(request, {
        control,
        isDelayed: isDelayed === true || this.#hasBeenAway,
        maxBodyBytes,
      });
    let trial = await run();
    for (let cuts = 1; trial.outcome === "cut" && cuts < MAX_CUTS && isSafe(request); cuts++)
      trial = await run();
    const route = this.#deps.routeOf(request);
    if (trial.outcome === "responded") {
      if (this.#hasLostUpstream(trial.response)) this.#failingUpstreams.add(route);
      this.#responded(request, trial.response);
    }
    if (trial.outcome === "cut") this.#suspects.add("cut", { route, request });
    if (trial.outcome === "crashed") {
      this.#suspects.add("crash", { route, request, isDelayed: trial.response !== undefined });
      await this.#untilBack(known);
      this.#hasBeenAway = false;
    }
    return trial;
  }

  /** The response to the control; undefined when the target is not back in time. */
  async #untilBack(control: ProbeResponse): Promise<ProbeResponse | undefined> {
    const { response, lost } = await this.#trials.untilBack(control);
    this.#isAway = response === undefined;
    if (lost >= LOST_CONTROLS) this.#hasBeenAway = true;
    return response;
  }

  /** Nothing has got a response in this scan yet: the target may be starting. */
  async #afterPause(request: ProbeRequest, options?: SendOnceOptions): Promise<ProbeResponse> {
    await this.#deps.wait(START_MS);
    return this.#deps.send(request, options);
  }

  #responded(request: ProbeRequest, response: ProbeResponse): ProbeResponse {
    this.#isAway = false;
    this.#suspects.clear(this.#deps.routeOf(request), request);
    if (request.method === "GET") this.#control ??= response;
    return response;
  }

  /** A gateway says that the connection to its upstream was lost. */
  #hasLostUpstream({ status, request }: ProbeResponse): boolean {
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
