import type { NotedWrite } from "@glovebox/contract";
import { FrameLines, frameOf } from "@glovebox/scan-run";
import type { PodLogs } from "@glovebox/kube";
import type { Pod } from "../kubernetes/api-client.ts";
import { logOf } from "./read-report.ts";

interface Deps {
  readonly logs: Pick<PodLogs, "read">;
  /** The pods of a Job, from the cache. */
  readonly podsOf: (jobUid: string) => readonly Pod[];
}

/**
 * Creates the reader of what the scanner of an attempt has noted of its writes, from the logs of the pods that are left.
 * @throws KubeError when the API server fails: retry
 */
export function writesReader({ logs, podsOf }: Deps): (jobUid: string) => Promise<NotedWrite[]> {
  return async (jobUid) => {
    const writes: NotedWrite[] = [];
    for (const pod of podsOf(jobUid)) {
      const log = await logOf(pod, logs);
      if (log) writes.push(...writesIn(log));
    }
    return writes;
  };
}

/** In the order of the log. Pure. */
function writesIn(log: Uint8Array): NotedWrite[] {
  const lines = new FrameLines();
  return [...lines.push(log), ...lines.end()].flatMap((line) => {
    const frame = frameOf(line);
    return frame?.frame === "write" ? [frame.write] : [];
  });
}
