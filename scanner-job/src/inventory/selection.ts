import type { ScanOrder } from "@glovebox/contract";
import {
  isExcluded,
  isIncluded,
  matches,
  pathOf,
  type FilterSubject,
  type OperationFilters,
} from "@glovebox/domain";
import type { ProbeRequest } from "../transport/exchange.ts";
import { networkError } from "../transport/network-error.ts";
import type { AppliedFilters, RequestFilter } from "../transport/request-filter.ts";
import type { OperationFacts } from "./operation.ts";
import { readingsOf, type Reading } from "./request-readings.ts";
import { Routes } from "./routes.ts";

/** Paths whose decision is remembered at most. */
const MAX_DECISIONS = 20_000;

interface Decision {
  readonly isExcluded: boolean;
  readonly isIncluded: boolean;
}

interface KnownOperation {
  readonly facts: OperationFacts;
  readonly location: { readonly method: string; readonly path: string };
}

/** What a scan requests of the host besides operations. */
interface Own {
  readonly target: URL;
  /** Address of the document, if the order names one. */
  readonly specUrl?: string | undefined;
}

/**
 * Which operations a scan may call, by the filters of its order. Decides about operations and, because a request to one operation may
 * reach another, about every request before it is sent.
 */
export class Selection implements RequestFilter {
  readonly filters: OperationFilters;
  readonly #own: Own;
  /** All operations that were learned, selected or not. */
  readonly #known: KnownOperation[] = [];
  readonly #routes = new Routes(this.#known);
  /** Method and path, below their base, of those that are excluded. */
  readonly #excluded = new Set<string>();
  /** By reading: many requests differ only in what they carry. */
  readonly #decisions = new Map<string, Decision>();
  readonly #bases: Set<string>;
  #nonce: string | undefined;

  constructor(filters: OperationFilters, own: Own) {
    this.filters = filters;
    this.#own = own;
    this.#bases = new Set([own.target.pathname.replace(/\/+$/, "")]);
  }

  get isEverything(): boolean {
    const { include = [], exclude = [] } = this.filters;
    return include.length + exclude.length === 0;
  }

  /** Learns operations, and returns those that may be called. */
  among(operations: readonly OperationFacts[]): OperationFacts[] {
    if (this.isEverything) return [...operations];
    for (const facts of operations) {
      const { method, base, path } = facts;
      this.#bases.add(base);
      this.#known.push({ facts, location: { method, path: base + path } });
      if (startsWithName(path) && isExcluded(this.#subjectOf(facts), this.filters))
        this.#excluded.add(`${method} ${path}`);
    }
    this.#decisions.clear();
    return operations.filter((facts) => this.selects(facts));
  }

  selects(facts: OperationFacts): boolean {
    const subject = this.#subjectOf(facts);
    return isIncluded(subject, this.filters) && !isExcluded(subject, this.filters);
  }

  /** A path with this in it cannot exist: requests to it call no operation. */
  exempt(nonce: string): void {
    this.#nonce = nonce;
  }

  /** Operations that were left out so far, and filters that match none. Operations of all bases that were tried are one. */
  get leftOut(): number {
    const all = new Map(
      this.#known.map(({ facts }) => [`${facts.method} ${facts.path} ${facts.operationId}`, facts]),
    );
    return [...all.values()].filter((facts) => !this.selects(facts)).length;
  }

  get unmatched(): string[] {
    const subjects = this.#known.map(({ facts }) => this.#subjectOf(facts));
    return [...(this.filters.include ?? []), ...(this.filters.exclude ?? [])].filter(
      (filter) => !subjects.some((subject) => matches(filter, subject)),
    );
  }

  admit(request: ProbeRequest, filters: AppliedFilters): void {
    if (this.isEverything || filters === "none" || this.#isOwn(request)) return;
    const isAdmitted = readingsOf(request).every((reading) => {
      const decision = this.#decide(reading);
      return !decision.isExcluded && (filters === "exclude" || !reading.isNormal || decision.isIncluded);
    });
    if (!isAdmitted) throw networkError("not_selected");
  }

  #decide(reading: Reading): Decision {
    const key = `${reading.methods.join()} ${reading.path}`;
    const known = this.#decisions.get(key);
    if (known) return known;
    const decision = { isExcluded: this.#isExcluded(reading), isIncluded: this.#isIncluded(reading) };
    if (this.#decisions.size < MAX_DECISIONS) this.#decisions.set(key, decision);
    return decision;
  }

  /** The plain reads of the target's address and of the document. */
  #isOwn({ method, url, rawPath, headers = {} }: ProbeRequest): boolean {
    const { target, specUrl } = this.#own;
    const isPlain = rawPath === undefined && !Object.keys(headers).some((name) => /^x-/i.test(name));
    const isRead = method === "GET" || method === "HEAD";
    return isPlain && isRead && (url === target.href || url === specUrl);
  }

  #isExcluded({ methods, path }: Reading): boolean {
    const { exclude = [] } = this.filters;
    const subject = { methods, paths: this.#spellings(path) };
    if (this.#isNowhere(path))
      return isExcluded(subject, { exclude: exclude.filter((filter) => pathOf(filter) === undefined) });
    const known = this.#operationsAt(methods, path);
    if (known.length > 0)
      return (
        isExcluded(subject, this.filters) ||
        known.every(({ facts }) => isExcluded(this.#subjectOf(facts), this.filters))
      );
    return isExcluded({ ...subject, isUnknown: true }, this.filters) || this.#endsAsExcluded(methods, path);
  }

  #isIncluded({ methods, path }: Reading): boolean {
    if (this.#isNowhere(path)) return true;
    const subject = { methods, paths: this.#spellings(path) };
    const known = this.#operationsAt(methods, path);
    if (known.length === 0) return isIncluded({ ...subject, isUnknown: true }, this.filters);
    return (
      isIncluded(subject, this.filters) ||
      known.some(({ facts }) => isIncluded(this.#subjectOf(facts), this.filters))
    );
  }

  /** `/v1/billing/invoices` may be an earlier version of `/billing/invoices`, which is excluded. */
  #endsAsExcluded(methods: readonly string[], path: string): boolean {
    const segments = path.split("/").slice(1);
    const paths = segments.map((_, index) => `/${segments.slice(index).join("/")}`);
    const named = (this.filters.exclude ?? []).filter((filter) => startsWithName(pathOf(filter) ?? ""));
    const exclude = [...named, ...this.#excluded];
    return isExcluded({ methods, paths, isUnknown: true }, { exclude });
  }

  #isNowhere(path: string): boolean {
    return this.#nonce !== undefined && path.includes(this.#nonce);
  }

  #operationsAt(methods: readonly string[], path: string): readonly KnownOperation[] {
    return methods.flatMap((method) => this.#routes.operationsAt(method, path));
  }

  #subjectOf({ method, base, path, tags, operationId }: OperationFacts): FilterSubject {
    return { methods: [method], paths: [path, ...this.#spellings(base + path)], tags, operationId };
  }

  /** The path from the root, and below each base of the API. */
  #spellings(path: string): string[] {
    const below = [...this.#bases].filter((base) => base !== "" && path.startsWith(`${base}/`));
    return [path, ...below.map((base) => path.slice(base.length))];
  }
}

/** The selection of an order. */
export const selectionOf = ({
  include,
  exclude,
  spec,
  url,
}: Pick<ScanOrder, "include" | "exclude" | "spec" | "url">): Selection =>
  new Selection(
    { include, exclude },
    { target: new URL(url), ...(spec?.from === "url" && { specUrl: spec.url }) },
  );

/** The filters leave nothing of a document; the message, a sentence, says so. */
export class NothingSelected extends Error {
  override readonly name = "NothingSelected";

  constructor(operations: number) {
    super(
      `\`include\` and \`exclude\` leave none of the operations of the OpenAPI document (${operations}).`,
    );
  }
}

const startsWithName = (path: string): boolean => /^\/[^/{*]+/.test(path);
