import type { Report } from "@glovebox/contract";
import type { Selection } from "../inventory/selection.ts";

/** Which operations a report is about; undefined where it is about all. */
export function scopeOf({ filters, isEverything, leftOut }: Selection): Report["scope"] {
  if (isEverything) return undefined;
  const { include = [], exclude = [] } = filters;
  return {
    ...(include.length > 0 && { include: [...include] }),
    ...(exclude.length > 0 && { exclude: [...exclude] }),
    leftOut,
  };
}

/** The same for the notes, and filters that matched nothing: they may be misspelled. */
export function notesOnScope(selection: Selection): string[] {
  if (selection.isEverything) return [];
  const { unmatched, leftOut } = selection;
  const filters = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
  return [
    `${leftOut} known ${leftOut === 1 ? "operation was" : "operations were"} left out by \`include\` and \`exclude\`, and count neither for the score nor for the coverage.`,
    ...(unmatched.length > 0 ? [`No known operation matches ${filters(unmatched)}.`] : []),
  ];
}
