import type { KeyRow } from "@glovebox/store";
import { plainText } from "@glovebox/report";

const COLUMNS: readonly (readonly [string, (key: KeyRow) => string])[] = [
  ["ID", ({ id }) => id],
  ["NAME", ({ name }) => plainText(name)],
  ["SCOPES", ({ scopes }) => scopes.join(",") || "all"],
  ["CREATED", ({ createdAt }) => moment(createdAt)],
  ["EXPIRES", ({ expiresAt }) => moment(expiresAt)],
  ["LAST USED", ({ lastUsedAt }) => moment(lastUsedAt)],
  ["REVOKED", ({ revokedAt }) => moment(revokedAt)],
];

/** A table with a line for each key, moments to the second in UTC, `-` for never. */
export function renderKeys(keys: readonly KeyRow[]): string {
  const columns = COLUMNS.map(([title, cell]) => padded([title, ...keys.map(cell)]));
  const lines = columns[0]!.map((_, line) => columns.map((column) => column[line]).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

function padded(cells: readonly string[]): string[] {
  const width = Math.max(...cells.map((cell) => cell.length));
  return cells.map((cell) => cell.padEnd(width));
}

const moment = (date: Date | null): string => date?.toISOString().replace(/\.\d+Z$/, "Z") ?? "-";
