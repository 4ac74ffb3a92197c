import type { ProbeRequest } from "./exchange.ts";
import { kindIn, traitKey, traitsOf, type Trait } from "./request-shape.ts";

/** Requests that crash the target, after which a scan tests no further: it must not keep an API down. */
const MAX_CRASHES = 5;
/** The same for one route. */
const MAX_OF_ROUTE = 2;
/** Routes whose responses are remembered, at most. */
const MAX_ROUTES = 5_000;

/** A request whose connection was lost twice, with others in flight and alone, or after whose response the target crashed. */
export interface Suspect {
  readonly request: ProbeRequest;
  /** True where the target responds, and then crashes. */
  readonly isDelayed: boolean;
  /** Method and path template. */
  readonly route: string;
  /** What no request to the route had that got a response: one of these is the cause. Empty where it is like those. */
  readonly traits: readonly Trait[];
}

/** Why a request is not sent. */
export type Refusal = "crash" | "cut";

/**
 * Which requests would crash the target again: those to the same route with a trait of a suspect, at any insertion point, unless
 * the target has responded to a request with that trait there. A kind of trait that crashed two routes, and to which nothing
 * responded, is sent to no other. Of requests that were only cut, as by a firewall, those with all of the traits are not sent.
 */
export class CrashSuspects {
  /** At which the target crashed. */
  readonly crashes: Suspect[] = [];
  readonly #cuts: Suspect[] = [];
  /** Traits by route of requests to which the target responded. */
  readonly #responded = new Map<string, Set<string>>();
  /** Traits by route of the first of them, which is a baseline request. */
  readonly #first = new Map<string, ReadonlySet<string>>();
  /** Kinds of all those traits. */
  readonly #respondedKinds = new Set<string>();

  /** The target responded to the request. */
  clear(route: string, request: ProbeRequest): void {
    const known = this.#responded.get(route) ?? new Set();
    for (const trait of traitsOf(request)) {
      known.add(traitKey(trait));
      this.#respondedKinds.add(trait.kind);
    }
    if (!this.#first.has(route)) this.#first.set(route, new Set(known));
    this.#responded.set(route, known);
    if (this.#responded.size <= MAX_ROUTES) return;
    const oldest = this.#responded.keys().next().value!;
    this.#responded.delete(oldest);
    this.#first.delete(oldest);
  }

  add(
    refusal: Refusal,
    { route, request, isDelayed = false }: Pick<Suspect, "route" | "request"> & Partial<Suspect>,
  ): void {
    const suspects = refusal === "crash" ? this.crashes : this.#cuts;
    if (suspects.some((suspect) => suspect.request === request)) return;
    if (isDelayed) this.#revoke(route, request);
    suspects.push({ route, request, isDelayed, traits: this.#unknownTraits(route, request) });
  }

  /** That the target responded to requests like this one does not mean that it withstood them. */
  #revoke(route: string, request: ProbeRequest): void {
    const first = this.#first.get(route) ?? new Set();
    const added = traitsOf(request).filter((trait) => !first.has(traitKey(trait)));
    const kinds = new Set(added.map(({ kind }) => kind));
    const known = this.#responded.get(route) ?? new Set();
    for (const key of known) if (!first.has(key) && kinds.has(kindIn(key))) known.delete(key);
  }

  get isExhausted(): boolean {
    return this.crashes.length >= MAX_CRASHES;
  }

  /** Why the request must not be sent; undefined where it may be. */
  refusalOf(route: string, request: ProbeRequest): Refusal | undefined {
    if (this.crashes.length + this.#cuts.length === 0) return undefined;
    const traits = this.#unknownTraits(route, request);
    if (this.#crashes(route, { request, traits })) return "crash";
    const kinds = new Set(traits.map(({ kind }) => kind));
    const isCut = (suspect: Suspect): boolean =>
      suspect.traits.length === 0
        ? isSame(suspect.request, request)
        : suspect.traits.every(({ kind }) => kinds.has(kind));
    return of(route, this.#cuts).some(isCut) ? "cut" : undefined;
  }

  #crashes(route: string, { request, traits }: Pick<Suspect, "request" | "traits">): boolean {
    const ofRoute = of(route, this.crashes);
    if (traits.length === 0) return ofRoute.some((suspect) => isSame(suspect.request, request));
    if (this.isExhausted || ofRoute.length >= MAX_OF_ROUTE) return true;
    const kinds = new Set([...kindsOf(ofRoute), ...this.#kindsOfSeveralRoutes()]);
    return traits.some(({ kind }) => kinds.has(kind));
  }

  #kindsOfSeveralRoutes(): string[] {
    const routes = [...new Set(this.crashes.map(({ route }) => route))];
    const kinds = routes.flatMap((route) => [...new Set(kindsOf(of(route, this.crashes)))]);
    return kinds.filter((kind, index) => kinds.indexOf(kind) !== index && !this.#respondedKinds.has(kind));
  }

  #unknownTraits(route: string, request: ProbeRequest): Trait[] {
    const known = this.#responded.get(route);
    return traitsOf(request).filter((trait) => known?.has(traitKey(trait)) !== true);
  }
}

const of = (route: string, suspects: readonly Suspect[]): readonly Suspect[] =>
  suspects.filter((suspect) => suspect.route === route);

const kindsOf = (suspects: readonly Suspect[]): string[] =>
  suspects.flatMap(({ traits }) => traits.map(({ kind }) => kind));

const isSame = (one: ProbeRequest, other: ProbeRequest): boolean =>
  one.url === other.url && one.rawPath === other.rawPath && one.body === other.body;
