import type { Operation } from "../inventory/operation.ts";

/** The version in a path, and the path without it: `/v2/users` is 2 of `/v{}/users`. */
export function versionIn(path: string): { number: number; rest: string } | undefined {
  const [, before, number, after] = /^(.*?\/v)(\d{1,2})(?:\.\d+)?(\/.*|$)/i.exec(path) ?? [];
  return before === undefined || after === undefined
    ? undefined
    : { number: Number(number), rest: `${before.toLowerCase()}{}${after.replace(/\{[^{}]*\}/g, "{}")}` };
}

/** The operation of the document that an operation beside it is another version of; the newest where there are several. */
export function documentedVersionOf(
  operation: Operation,
  operations: readonly Operation[],
): Operation | undefined {
  const own = versionIn(operation.location.path);
  if (!own || operation.facts.source === "spec") return undefined;
  return operations
    .filter(({ facts }) => facts.source === "spec" && facts.method === operation.facts.method)
    .flatMap((other) => {
      const version = versionIn(other.location.path);
      return version?.rest === own.rest && version.number !== own.number
        ? [{ other, number: version.number }]
        : [];
    })
    .toSorted((a, b) => b.number - a.number)[0]?.other;
}
