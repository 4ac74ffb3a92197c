import type { OperationFacts } from "../operation.ts";

/** Resources that APIs have in common; the first four tell whether a base path is worth the others. */
const NOUNS = (
  "users products orders health " +
  "items status accounts customers admin posts comments categories search me profile auth/login login config settings info version " +
  "files documents messages notifications events tasks projects teams groups roles permissions invoices payments " +
  "transactions subscriptions plans carts reviews articles pages tags media images books pets " +
  "organizations companies employees tickets reports stats metrics logs sessions tokens keys webhooks jobs ping graphql"
).split(" ");

const FIRST = 4;

export const firstNouns = (base: string): string[] => NOUNS.slice(0, FIRST).map((noun) => `${base}/${noun}`);
export const otherNouns = (base: string): string[] => NOUNS.slice(FIRST).map((noun) => `${base}/${noun}`);

/** Base paths below which resources may be, the likeliest first: around what was found, the target's path, the usual ones. */
export function basesToTry(target: URL, found: readonly OperationFacts[]): string[] {
  const around = found.map(({ base, path }) => parent(beforeParameter(base + path)));
  const own = target.pathname.replace(/\/+$/, "");
  return [...new Set([...commonest(around), own, parent(own), "/api", "/api/v1", "/v1", "/v2", ""])].slice(
    0,
    7,
  );
}

/**
 * The same paths in the versions beside theirs: `/v2/users` gives `/v1/users` and `/v3/users`. Two paths of each
 * version, so that few requests tell.
 */
export function versionSiblings(operations: readonly OperationFacts[], max: number): string[] {
  const paths = operations
    .filter(({ method, path }) => method === "GET" && !path.includes("{"))
    .map(({ base, path }) => base + path);
  const known = new Set(paths);
  const perVersion = new Map<string, number>();
  const siblings = paths.flatMap((path) => {
    const [, before, number, after] = /^(.*?\/v)(\d{1,2})(\/.*)$/.exec(path) ?? [];
    if (before === undefined || after === undefined) return [];
    const seen = perVersion.get(before + number) ?? 0;
    perVersion.set(before + number, seen + 1);
    return seen < 2 ? siblingNumbers(Number(number)).map((other) => before + other + after) : [];
  });
  return [...new Set(siblings)].filter((path) => !known.has(path)).slice(0, max);
}

const siblingNumbers = (number: number): number[] =>
  [number - 1, number + 1, number - 2].filter((other) => other >= 0);

const beforeParameter = (path: string): string => path.split("/{")[0]!;

const parent = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

/** The two values that occur most. */
function commonest(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([value]) => value);
}
