import type { Report, ScanOrder } from "@glovebox/contract";

export type OperationFilters = Pick<ScanOrder, "include" | "exclude">;

/** What filters are compared with: an operation, or a request to one. */
export interface FilterSubject {
  /** Any of them may match: a HEAD is a GET as well. */
  readonly methods: readonly string[];
  /** Spellings of one path, such as with and without the base of the API; templates as `/orders/{id}`. Any of them may match. */
  readonly paths: readonly string[];
  readonly tags?: readonly string[];
  readonly operationId?: string | undefined;
  /** No operation is known to have the path: `{id}` of a filter stands for any segment. */
  readonly isUnknown?: true;
}

/** Whether a scan may call it: a filter of `include` matches, if there are any, and none of `exclude`. Pure. */
export const isSelected = (subject: FilterSubject, filters: OperationFilters): boolean =>
  isIncluded(subject, filters) && !isExcluded(subject, filters);

export const isIncluded = (subject: FilterSubject, { include }: OperationFilters): boolean =>
  include === undefined || include.length === 0 || include.some((filter) => matches(filter, subject));

export const isExcluded = (subject: FilterSubject, { exclude = [] }: OperationFilters): boolean =>
  exclude.some((filter) => matches(filter, subject));

/** Whether the filter (contract, operation-filter.ts) matches. Paths are compared without regard to case and to a slash at the end. */
export function matches(filter: string, subject: FilterSubject): boolean {
  const { methods, paths, tags = [], operationId } = subject;
  if (filter.startsWith("tag:")) return tags.includes(filter.slice("tag:".length));
  if (filter.startsWith("id:")) return operationId === filter.slice("id:".length);
  const [, method, pattern] = /^([A-Z]*) ?(\/.*)?$/s.exec(filter) ?? [];
  if (method && !methods.includes(method)) return false;
  if (pattern === undefined) return Boolean(method);
  const wanted = segmentsOf(pattern);
  return paths.some((path) => pathMatches(wanted, segmentsOf(path), subject.isUnknown === true));
}

/** The path of a filter; undefined where it has none. */
export const pathOf = (filter: string): string | undefined => /^(?:[A-Z]+ )?(\/.*)$/s.exec(filter)?.[1];

/** What the operations of a report are, for its reader; empty for a report about all operations. Pure. */
export function scopeText({ include = [], exclude = [] }: Report["scope"] = {}): string {
  if (include.length + exclude.length === 0) return "";
  const called =
    include.length === 0
      ? "Only some operations were called"
      : `Only operations that match ${listed(include)} were called`;
  return `${called}${exclude.length === 0 ? "" : `, and none that match ${listed(exclude)}`}.`;
}

const listed = (filters: readonly string[]): string => filters.join(", ");

const segmentsOf = (path: string): string[] =>
  path
    .toLowerCase()
    .replace(/(?<=.)\/$/, "")
    .split("/")
    .slice(1);

/** Row by row, so that the time is the product of the lengths, whatever the pattern. */
function pathMatches(pattern: readonly string[], path: readonly string[], isUnknown: boolean): boolean {
  /** Whether the part of the pattern so far matches the first n segments. */
  let matched = path.map(() => false);
  matched = [true, ...matched];
  for (const part of pattern) {
    matched =
      part === "**"
        ? matched.map((_, end) => matched.slice(0, end + 1).includes(true))
        : matched.map(
            (_, end) => end > 0 && matched[end - 1]! && segmentMatches(part, path[end - 1]!, isUnknown),
          );
  }
  return matched.at(-1)!;
}

const PARAMETER = /^\{[^{}]*\}$/;

function segmentMatches(part: string, segment: string, isUnknown: boolean): boolean {
  if (PARAMETER.test(part)) return PARAMETER.test(segment) || (isUnknown && segment !== "");
  if (part === "*") return segment !== "";
  if (!part.includes("*")) return part === segment;
  return wildcardMatches(part.split("*"), segment);
}

/** The texts in this order, with anything between them. */
function wildcardMatches([first = "", ...others]: readonly string[], segment: string): boolean {
  const last = others.pop() ?? "";
  const fits =
    segment.length >= first.length + last.length && segment.startsWith(first) && segment.endsWith(last);
  if (!fits) return false;
  const end = segment.length - last.length;
  let at = first.length;
  for (const text of others) {
    const found = segment.indexOf(text, at);
    if (found < 0 || found + text.length > end) return false;
    at = found + text.length;
  }
  return true;
}
