import type { KubeObject } from "../client/resource.ts";
import type { Change } from "../informer/object-store.ts";

/** What a reflector has told, as `type name`, to wait for. */
export interface ToldChanges {
  readonly onChange: (change: Change<KubeObject>) => void;
  readonly lines: readonly string[];
  readonly changes: readonly Change<KubeObject>[];
  /** Resolves when the line has been told so often (once when absent). */
  until(line: string, times?: number): Promise<void>;
}

export function toldChanges(): ToldChanges {
  const lines: string[] = [];
  const changes: Change<KubeObject>[] = [];
  const waiting = new Set<() => void>();
  return {
    lines,
    changes,
    onChange(change) {
      lines.push(`${change.type} ${change.object.metadata?.name}`);
      changes.push(change);
      for (const check of waiting) check();
    },
    async until(line, times = 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = (): void => {
        if (lines.filter((told) => told === line).length >= times) resolve();
      };
      waiting.add(check);
      check();
      await promise;
      waiting.delete(check);
    },
  };
}
