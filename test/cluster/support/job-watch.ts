import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { LABELS } from "@glovebox/k8s";

/** A watch event of a Job. */
export interface JobChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly scanId: string;
  readonly name: string;
  readonly hasEnded: boolean;
}

export interface JobWatch {
  /** In the order of the watch. */
  readonly changes: readonly JobChange[];
  stop(): Promise<void>;
}

const scanLabel = LABELS.scan.replaceAll(".", "\\.");
const FIELDS = [
  "{.type}",
  `{.object.metadata.labels.${scanLabel}}`,
  "{.object.metadata.name}",
  '{.object.status.conditions[?(@.status=="True")].type}',
].join(",");

/** Watches the Jobs of a namespace, including those that exist already. */
export function watchJobs(namespace: string): JobWatch {
  const child = spawn(
    "kubectl",
    [
      ...["get", "jobs", "-n", namespace, "--watch", "--output-watch-events"],
      ...["-o", `jsonpath=${FIELDS}{"\\n"}`],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const changes: JobChange[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [type, scanId, name, met = ""] = line.split(",");
    const hasEnded = met.split(" ").some((condition) => condition === "Complete" || condition === "Failed");
    changes.push({ type: type as JobChange["type"], scanId: scanId!, name: name!, hasEnded });
  });
  return {
    changes,
    async stop() {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}
