import type { AccessOfCallers, AccessViolation, Finding } from "@glovebox/contract";
import { instancesOf } from "./findings.ts";

/** The callers of a grid, in its order. */
export const callersIn = (grid: readonly AccessOfCallers[]): string[] => [
  ...new Set(grid.flatMap(({ access }) => Object.keys(access))),
];

/** Which operations of a grid are shown. */
export interface GridFilter {
  readonly isViolated: boolean;
  /** Part of method and path, in any case. */
  readonly text: string;
}

export function filteredGrid(
  grid: readonly AccessOfCallers[],
  { isViolated, text }: GridFilter,
): AccessOfCallers[] {
  const wanted = text.trim().toLowerCase();
  return grid.filter(
    ({ method, path, violations = [] }) =>
      (!isViolated || violations.length > 0) && `${method} ${path}`.toLowerCase().includes(wanted),
  );
}

/** The finding that a violation of the grid names, by its own id or that of an instance. */
export const findingsByInstance = (findings: readonly Finding[]): ReadonlyMap<string, Finding> =>
  new Map(
    findings.flatMap((finding) =>
      [finding.id, ...instancesOf(finding).map(({ id }) => id)].map((id) => [id, finding] as const),
    ),
  );

/** What one caller gets that it must not, or does not get that it must. */
export const violationsOf = ({ violations = [] }: AccessOfCallers, caller: string): AccessViolation[] =>
  violations.filter((violation) => violation.caller === caller);
