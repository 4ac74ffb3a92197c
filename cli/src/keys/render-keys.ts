import type { KeyRow } from "@glovebox/store";
import { plainText } from "@glovebox/report";
import { renderColumns, type Columns } from "../text-columns.ts";

const COLUMNS: Columns<KeyRow> = [
  ["ID", ({ id }) => id],
  ["NAME", ({ name }) => plainText(name)],
  ["SCOPES", ({ scopes }) => scopes.join(",") || "all"],
  ["CREATED", ({ createdAt }) => moment(createdAt)],
  ["EXPIRES", ({ expiresAt }) => moment(expiresAt)],
  ["LAST USED", ({ lastUsedAt }) => moment(lastUsedAt)],
  ["REVOKED", ({ revokedAt }) => moment(revokedAt)],
];

/** A table with a line for each key, moments to the second in UTC, `-` for never. */
export const renderKeys = (keys: readonly KeyRow[]): string => renderColumns(keys, COLUMNS);

const moment = (date: Date | null): string => date?.toISOString().replace(/\.\d+Z$/, "Z") ?? "-";
