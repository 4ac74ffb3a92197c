import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const EXCLUDED = ["**/node_modules/**", "**/dist/**"];

/** Matching files, relative to the root of the repository. */
export const files = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: fileURLToPath(ROOT), exclude: EXCLUDED }).toSorted();

export const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
export const exists = (path: string): boolean => existsSync(new URL(path, ROOT));
