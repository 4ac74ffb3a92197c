import { MAX_ACCESS_PATHS, type Access, type PathAccess } from "@glovebox/contract";
import { isDestructive } from "../inventory/effects.ts";
import type { TargetProfile } from "./check.ts";
import type { Reach } from "./reach.ts";
import type { Tested } from "./coverage.ts";

/** What a caller without credentials got, by how far its requests did. */
export const ACCESS_OF: Record<Reach, Access> = {
  reached: "allowed",
  refused: "refused",
  missing: "notFound",
  failed: "noAnswer",
  untried: "notCalled",
};

/** What a caller without credentials may do, by path and method; also operations that are never called. Pure. */
export function accessGrid(
  { operations, document }: Pick<TargetProfile, "operations" | "document">,
  reaches: Tested["reaches"],
): PathAccess[] {
  const methods = new Map<string, Map<string, Access>>();
  const note = (method: string, path: string, access: Access): void => {
    const ofPath = methods.get(path) ?? new Map<string, Access>();
    ofPath.set(method.slice(0, 20), access);
    methods.set(path, ofPath);
  };
  for (const { method, base, path } of (document?.operations ?? []).filter(isDestructive))
    note(method, base + path, "notCalled");
  for (const operation of operations) {
    const { method, path } = operation.location;
    note(method, path, ACCESS_OF[reaches.get(operation) ?? "untried"]);
  }
  return [...methods]
    .filter(([path]) => path.length <= 2_000)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MAX_ACCESS_PATHS)
    .map(([path, ofPath]) => ({ path, methods: Object.fromEntries(ofPath) }));
}
