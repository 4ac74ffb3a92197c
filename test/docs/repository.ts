import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const NOT_OURS = ["**/node_modules/**", "**/dist/**"];

/** The files of the repository that match, as paths from its root. */
export const files = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: fileURLToPath(ROOT), exclude: NOT_OURS }).toSorted();

export const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
export const exists = (path: string): boolean => existsSync(new URL(path, ROOT));
