import type { ProbeResponse } from "../../transport/exchange.ts";
import { isDestructive } from "../effects.ts";
import { idsInList } from "../find-ids.ts";
import { discoveredOperation, type KnownFacts, type OperationFacts } from "../operation.ts";
import type { Explorer } from "./explorer.ts";
import { linksInJson } from "./links.ts";
import { queryParameters, shapeOf, templateOf, withSamples } from "./path-template.ts";

const MAX_OPERATIONS = 100;
const MAX_QUEUE = 400;
const AT_ONCE = 5;
/** Declared reads whose responses are followed. */
const MAX_DECLARED = 20;
/** Objects of one path template (`/users/{id}`) that are requested. */
const MAX_PER_SHAPE = 1;

export interface CrawlerDeps {
  readonly explorer: Explorer;
  readonly isMissing: (response: ProbeResponse) => Promise<boolean> | boolean;
  /** Operations that are known already, as `GET /users/{id}`; their addresses are not asked for again. */
  readonly declared: readonly OperationFacts[];
}

/** Follows addresses, and what their responses lead to; each that exists becomes an operation. */
export class Crawler {
  readonly #deps: CrawlerDeps;
  readonly #declared: Set<string>;
  readonly #found = new Map<string, OperationFacts>();
  readonly #visits = new Map<string, number>();
  readonly #leftOut = new Set<string>();

  constructor(deps: CrawlerDeps) {
    this.#deps = deps;
    this.#declared = new Set(
      deps.declared.map(({ method, base, path }) => `${method} ${shapeOf(base + path)}`),
    );
  }

  get operations(): OperationFacts[] {
    return [...this.#found.values()];
  }

  /** Reads that were not asked for, because by their names they destroy something: `GET /api/reset`. */
  get leftOut(): string[] {
    return [...this.#leftOut];
  }

  /** Visits what the responses of declared operations lead to: what the document lacks may be there. */
  async followDeclared(max: number): Promise<void> {
    const lists = this.#deps.declared.filter(
      (facts) =>
        facts.method === "GET" &&
        !facts.path.includes("{") &&
        !facts.parameters.some(({ required }) => required) &&
        !isDestructive(facts),
    );
    const steps = spaced(lists, MAX_DECLARED).map(({ base, path }): Step => ({
      address: base + path,
      isDeclared: true,
    }));
    await this.#visit(steps, steps.length + max);
  }

  /** Visits the addresses and what they lead to, at most `max`; the number of those that exist. */
  async follow(addresses: readonly string[], max: number): Promise<number> {
    const steps = addresses.map((address): Step => ({ address: withSamples(address), shown: address }));
    return this.#visit(steps, max);
  }

  async #visit(steps: readonly Step[], max: number): Promise<number> {
    const queue = steps.slice(0, MAX_QUEUE);
    let existing = 0;
    for (let left = max; left > 0 && queue.length > 0 && this.#found.size < MAX_OPERATIONS;) {
      const visits = this.#nextVisits(queue, Math.min(left, AT_ONCE));
      left -= visits.length;
      const responses = await Promise.all(visits.map(({ url }) => this.#deps.explorer.ask(url)));
      for (const [index, response] of responses.entries()) {
        if (!response) continue;
        const visit = visits[index]!;
        if (await this.#note(visit, response)) existing += 1;
        if (queue.length < MAX_QUEUE) queue.push(...leadsOf(response, visit.url));
      }
    }
    return existing;
  }

  #nextVisits(queue: Step[], max: number): Visit[] {
    const visits: Visit[] = [];
    while (visits.length < max && queue.length > 0) {
      const step = queue.shift()!;
      const url = this.#next(step);
      if (url) visits.push({ url, step });
    }
    return visits;
  }

  /** The address to ask for; undefined when it is elsewhere, not to be touched, or of a shape that was seen. */
  #next({ address, endsInId, isDeclared }: Step): URL | undefined {
    const url = this.#deps.explorer.locate(address);
    if (!url) return undefined;
    // GET should change nothing, but some handlers do.
    if (isDestructive({ method: "GET", path: url.pathname })) {
      if (this.#leftOut.size < MAX_QUEUE) this.#leftOut.add(`GET ${url.pathname}`);
      return undefined;
    }
    const { path } = templateOf(url.pathname, { endsInId: endsInId === true });
    const shape = shapeOf(path);
    const seen = this.#visits.get(shape) ?? 0;
    if (seen >= MAX_PER_SHAPE || (!isDeclared && this.#isDeclared(shape))) return undefined;
    this.#visits.set(shape, seen + 1);
    return url;
  }

  #isDeclared(shape: string): boolean {
    return this.#declared.has(`GET ${shape}`);
  }

  async #note({ url, step: { endsInId, shown } }: Visit, response: ProbeResponse): Promise<boolean> {
    const methods = methodsOf(response);
    if (methods.length === 0 || (await this.#deps.isMissing(response))) return false;
    const { path, parameters } = templateOf(url.pathname, { endsInId: endsInId === true });
    // What a program's text left open was asked for with an invented value: no sample that anyone declared.
    const invented = shown !== undefined && shown !== withSamples(shown);
    const ofPath = invented
      ? parameters.map((parameter) => ({ ...parameter, sampleIsDeclared: false }))
      : parameters;
    for (const method of methods) {
      const name = `${method} ${shapeOf(path)}`;
      if (this.#found.has(name) || this.#declared.has(name)) continue;
      const all = [...ofPath, ...queryParameters(url.searchParams)];
      this.#found.set(name, shownOperation({ method, path, parameters: all }, response));
    }
    return true;
  }
}

interface Step {
  readonly address: string;
  /** It is asked for because of what its response leads to. */
  readonly isDeclared?: true;
  readonly endsInId?: boolean;
  /** As it was found, with what a program's text leaves open. */
  readonly shown?: string;
}

/** At most this many, from all parts of the list. */
const spaced = <Item>(items: readonly Item[], max: number): Item[] =>
  items.filter((_, index) => items.length <= max || index % Math.ceil(items.length / max) === 0);

interface Visit {
  readonly url: URL;
  readonly step: Step;
}

/** The methods that the response to a GET shows to exist: none for pages that take no input, files, redirects and errors. */
function methodsOf(response: ProbeResponse): string[] {
  if (response.status === 405) return allowedMethods(response);
  const refused = [400, 401, 402, 403, 409, 415, 422].includes(response.status);
  const succeeded = response.status >= 200 && response.status < 300;
  const isPage =
    /^(text\/(html|css|javascript)|image\/|font\/|video\/|audio\/|application\/(x-)?javascript)/.test(
      response.mediaType,
    );
  const takesInput = response.request.url.includes("?");
  return (refused || succeeded) && (!isPage || takesInput) ? ["GET"] : [];
}

/** The writes that a refusal of the method (405) allows; some servers do not say which. */
export function allowedMethods({ headers }: ProbeResponse): string[] {
  const named = (headers["allow"] ?? "POST").toUpperCase().split(/[\s,]+/);
  return ["POST", "PUT", "PATCH", "DELETE"].filter((method) => named.includes(method));
}

/** The operation that the response to a GET shows to exist. */
export const shownOperation = (known: KnownFacts, { status, mediaType }: ProbeResponse): OperationFacts =>
  discoveredOperation({
    ...known,
    responses: known.method === "GET" ? [{ status: String(status), mediaType, fields: [] }] : [],
  });

/** An object of a list, the links in the response, and where it redirects to. */
function leadsOf(response: ProbeResponse, url: URL): Step[] {
  const location = response.headers["location"];
  const links = [...(location ? [location] : []), ...linksInJson(response.json)];
  const absolute = links
    .filter((link) => URL.canParse(link, url.href))
    .map((link) => ({ address: new URL(link, url).href }));
  return [...objectsOf(response, url), ...absolute];
}

function objectsOf(response: ProbeResponse, url: URL): Step[] {
  if (response.status !== 200) return [];
  const path = url.pathname.replace(/\/+$/, "");
  const collection = path.slice(path.lastIndexOf("/") + 1);
  const [ids] = idsInList(response.json, { parameter: { name: "id", type: "string" }, collection });
  const id = ids?.[0];
  return id === undefined ? [] : [{ address: `${path}/${encodeURIComponent(id)}`, endsInId: true }];
}
