import type { Operation } from "../inventory/operation.ts";
import type { Reply } from "../transport/exchange.ts";
import { keysOf } from "./similarity.ts";

/** Depth and number of values looked at for data. */
const MAX_DEPTH = 4;
const MAX_VALUES = 500;

/**
 * Whether an answer has the fields that the document declares for a success of the operation; undefined when it
 * declares none. Half of the smaller side is enough: documents are seldom complete.
 */
export function fitsDeclaration(operation: Operation, reply: Reply): boolean | undefined {
  const declared = new Set(
    operation.facts.responses
      .filter(({ status }) => status.startsWith("2"))
      .flatMap(({ fields }) => fields.map(({ path }) => topLevelName(path))),
  );
  if (declared.size === 0) return undefined;
  const seen = keysOf(reply.json);
  const common = [...seen].filter((name) => declared.has(name)).length;
  return common > 0 && common >= Math.min(seen.size, declared.size) / 2;
}

const topLevelName = (path: string): string => path.replace(/^(\[\]\.?)+/, "").split(/[.[]/)[0]!;

/** False for answers that say nothing: `[]`, `{"user": null}`, `{"items": [], "total": 0}`. */
export function holdsData(json: unknown): boolean {
  let level: unknown[] = [json];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    if (level.some((value) => (typeof value === "string" && value !== "") || isCount(value))) return true;
    level = level
      .flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []))
      .slice(0, MAX_VALUES);
  }
  return false;
}

const isCount = (value: unknown): boolean => typeof value === "number" && value !== 0;
