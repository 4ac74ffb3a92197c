import type { ProbeRequest } from "../transport/exchange.ts";
import { fitsTemplate } from "./discovery/path-template.ts";
import type { Operation } from "./operation.ts";

type Located = Pick<Operation, "location">;

/** Requests whose route is remembered, at most. */
const MAX_KNOWN = 20_000;

/** The routes of a target: which requests one handler serves, as far as its operations are known. */
export class Routes<Each extends Located = Located> {
  readonly #operations: readonly Each[];
  #indexed = 0;
  /** Operations by method and number of segments. */
  readonly #index = new Map<string, Each[]>();
  readonly #known = new Map<string, string>();

  /** The list of operations may grow. */
  constructor(operations: readonly Each[]) {
    this.#operations = operations;
  }

  /** Method and path template of the operation that the request calls, or else method and path. */
  of({ method, url }: Pick<ProbeRequest, "method" | "url">): string {
    this.#indexNew();
    const { pathname } = new URL(url);
    const key = `${method} ${pathname}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const [best] = this.operationsAt(method, pathname);
    const route = best ? routeOf(best) : key;
    if (this.#known.size < MAX_KNOWN) this.#known.set(key, route);
    return route;
  }

  /** The operations that a request calls: more than one where they share a path, as those of GraphQL do. */
  operationsAt(method: string, pathname: string): readonly Each[] {
    this.#indexNew();
    const candidates = this.#index.get(bucketOf(method, pathname)) ?? [];
    const fitting = candidates.filter(({ location }) => fitsTemplate(pathname, location.path));
    const fewest = Math.min(...fitting.map(parametersOf));
    return fitting.filter((each) => parametersOf(each) === fewest);
  }

  #indexNew(): void {
    if (this.#indexed === this.#operations.length) return;
    for (const operation of this.#operations.slice(this.#indexed)) {
      const { method, path } = operation.location;
      const bucket = bucketOf(method, path);
      const operations = this.#index.get(bucket) ?? [];
      operations.push(operation);
      this.#index.set(bucket, operations);
    }
    this.#indexed = this.#operations.length;
    this.#known.clear();
  }
}

/** Method and path template of an operation. */
export const routeOf = ({ location }: Located): string => `${location.method} ${location.path}`;

const bucketOf = (method: string, path: string): string => `${method} ${path.split("/").length}`;

const parametersOf = ({ location }: Located): number => location.path.split("{").length;
