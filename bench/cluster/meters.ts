import { createReadStream, statSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** User agent of the controller. */
const CONTROLLER = "glovebox-controller";

/** One entry of the audit log. */
export interface AuditedCall {
  readonly stage: string;
  readonly verb: string;
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly subresource?: string;
  };
}

/** The API server's audit log: one JSON line for each request. */
export interface AuditLog {
  /** The present end of the log. */
  mark(): number;
  /** The entries after a mark. */
  since(mark: number): Promise<AuditedCall[]>;
}

/** The log of GLOVEBOX_CLUSTER_AUDIT_LOG; undefined if it is not set. */
export function openAuditLog(): AuditLog | undefined {
  const file = process.env["GLOVEBOX_CLUSTER_AUDIT_LOG"];
  if (!file) return undefined;
  return {
    mark: () => statSync(file).size,
    async since(mark) {
      const calls: AuditedCall[] = [];
      const input = createReadStream(file, { start: mark });
      for await (const line of createInterface({ input })) {
        // The first line may be incomplete.
        if (!line.startsWith("{") || !line.includes(CONTROLLER)) continue;
        calls.push(JSON.parse(line) as AuditedCall);
      }
      return calls;
    },
  };
}

/** The controller's requests about scans: without watches, lists, its Lease, and the creation of Scans by the benchmark. */
export const callsOf = (calls: readonly AuditedCall[], namespace: string): AuditedCall[] =>
  calls.filter(
    ({ stage, verb, userAgent = "", objectRef }) =>
      stage === "ResponseComplete" &&
      userAgent.startsWith(CONTROLLER) &&
      objectRef?.namespace === namespace &&
      objectRef.resource !== "leases" &&
      verb !== "watch" &&
      verb !== "list" &&
      !(verb === "create" && objectRef.resource === "scans") &&
      verb !== "deletecollection",
  );

/** Groups of processes: the measured process with its database, and the components of the cluster. */
export const GROUPS = ["own", "apiServer", "controllers"] as const;
export type Group = (typeof GROUPS)[number];

/** Processor time in milliseconds. */
export interface ProcessorTime extends Readonly<Record<Group, number>> {
  /** Of all processes of the machine and its kernel. */
  readonly machine: number;
}

/** Programs by their names in /proc, which have at most 15 characters. */
const PROGRAMS: Readonly<Record<string, Group>> = {
  "kube-apiserver": "apiServer",
  etcd: "apiServer",
  "kube-controller": "controllers",
  "kube-scheduler": "controllers",
  kwok: "controllers",
};
const DATABASE = "postgres";

/** USER_HZ is 100 on Linux. */
const TICK_MS = 10;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly program: string;
  /** Including ended children. */
  readonly ms: number;
}

/**
 * Starts a measurement. The returned function gives the processor time since then: `own` is the time of the process `client` and
 * of this process's PostgreSQL. Undefined on systems other than Linux.
 */
export function processorMeter(): ((client: number) => ProcessorTime) | undefined {
  if (process.platform !== "linux") return undefined;
  const before = readProc();
  return (client) => {
    const after = readProc();
    const spent = { machine: after.machine - before.machine, own: 0, apiServer: 0, controllers: 0 };
    for (const one of after.processes.values()) {
      const group = groupOf(one, { client, all: after.processes });
      if (group) spent[group] += one.ms - (before.processes.get(one.pid)?.ms ?? 0);
    }
    return spent;
  };
}

function groupOf(
  { pid, program, parent }: Process,
  { client, all }: { readonly client: number; readonly all: ReadonlyMap<number, Process> },
): Group | undefined {
  if (pid === client) return "own";
  // The backends are children of the postmaster, whose time includes the ended ones.
  if (program === DATABASE && [parent, all.get(parent)?.parent].includes(process.pid)) return "own";
  return PROGRAMS[program];
}

function readProc(): { machine: number; processes: Map<number, Process> } {
  const [user, nice, system, , , ...interrupts] = firstLine("/proc/stat").split(/\s+/).slice(1).map(Number);
  const guests = 2; // already included in user and nice
  const all = [user!, nice!, system!, ...interrupts.slice(0, -guests)];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return {
    machine: all.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS,
    processes: new Map(pids.flatMap(processOf).map((one) => [one.pid, one])),
  };
}

/** Empty if the process has ended. */
function processOf(pid: string): Process[] {
  try {
    const [, program, rest] = /\((.*)\) (.*)/.exec(firstLine(`/proc/${pid}/stat`))!;
    const fields = rest!.split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), program: program!, ms: ticks * TICK_MS }];
  } catch {
    return [];
  }
}

const firstLine = (file: string): string => readFileSync(file, "utf8").split("\n", 1)[0]!;
