import { locationName } from "@glovebox/domain";
import { type ScanOrder } from "@glovebox/contract";
import { isExamining, type Check, type ExaminingCheck } from "./engine/check.ts";
import { discoveredOperation, type Operation, type OperationFacts } from "./inventory/operation.ts";

/** The checks of an order: all that its mode allows, or those that it names. */
export const checksOf = (
  { mode, only }: Pick<ScanOrder, "mode" | "only">,
  checks: readonly Check[],
): readonly Check[] =>
  restrictedTo(
    only,
    checks.filter(({ active }) => !active || mode === "active"),
  );

/**
 * The checks of an order that names what to examine, each with its named subjects; all checks of an order that names none.
 * @internal
 */
export function restrictedTo(only: ScanOrder["only"], checks: readonly Check[]): readonly Check[] {
  if (!only) return checks;
  const named = Map.groupBy(only, ({ check }) => check);
  return checks.flatMap((check): readonly Check[] => {
    const locations = new Set(named.get(check.id)?.map(({ location }) => locationName(location)));
    if (locations.size === 0) return [];
    if (!isExamining(check)) return [check];
    const subjects: ExaminingCheck["subjects"] = (profile) =>
      check.subjects(profile).filter(({ location }) => locations.has(locationName(location)));
    return [{ ...check, subjects }];
  });
}

/** Whether an order selects something of an operation; an order without a selection selects every operation. */
export function isNamedIn(only: ScanOrder["only"]): (operation: Operation) => boolean {
  if (!only) return () => true;
  const named = new Set(only.map(({ location: { method, path } }) => `${method} ${path}`));
  return ({ location: { method, path } }) => named.has(`${method} ${path}`);
}

/**
 * The reads of an order's selection, as a scan finds them on its way: what guessed their routes is not in the selection. Those in
 * the inventory, which knows more of them, stay as they are.
 */
export const readsNamedIn = (only: ScanOrder["only"] = []): OperationFacts[] =>
  only
    .map(({ location }) => location)
    .filter(({ method, path }) => method === "GET" && path !== "/" && !path.includes("{"))
    .map(({ path }) => discoveredOperation({ method: "GET", path }));
