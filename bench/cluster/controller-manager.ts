import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** How fast Kubernetes' own controllers may work, which create the pods of Jobs. */
export interface Pace {
  /** For the table. */
  readonly name: string;
  /** Flags of kube-controller-manager. */
  readonly flags: readonly string[];
}

/** So fast that they are not what is measured. */
export const FAST: Pace = {
  name: "1,000 QPS, 50 Job workers",
  flags: paced({ qps: 1000, burst: 2000, jobs: 50, garbage: 50 }),
};
/** What they have where nobody has set anything. */
export const STOCK: Pace = {
  name: "stock: 20 QPS, 5 Job workers",
  flags: paced({ qps: 20, burst: 30, jobs: 5, garbage: 20 }),
};

export interface ControllerManager extends AsyncDisposable {
  use(pace: Pace): Promise<void>;
}

/** The controller manager, where GLOVEBOX_CLUSTER_CONTROLLER_MANAGER tells how to start it anew; in the end as it was. */
export function controllerManager(): ControllerManager | undefined {
  const command = process.env["GLOVEBOX_CLUSTER_CONTROLLER_MANAGER"];
  if (!command) return undefined;
  let current: Pace | undefined;
  const restart = async (flags: readonly string[]) => void (await promisify(execFile)(command, [...flags]));
  return {
    async use(pace) {
      if (pace === current) return;
      current = pace;
      await restart(pace.flags);
    },
    async [Symbol.asyncDispose]() {
      if (current) await restart([]);
    },
  };
}

interface Rates {
  readonly qps: number;
  readonly burst: number;
  readonly jobs: number;
  readonly garbage: number;
}

function paced({ qps, burst, jobs, garbage }: Rates): string[] {
  return [
    `--kube-api-qps=${qps}`,
    `--kube-api-burst=${burst}`,
    `--concurrent-job-syncs=${jobs}`,
    `--concurrent-gc-syncs=${garbage}`,
  ];
}
