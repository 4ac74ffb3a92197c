import { createReadStream, statSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** The benchmark speaks through the controller's client, and so by its name. */
const CONTROLLER = "glovebox-controller";

/** One request to the API server. */
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
  /** Where it ends now. */
  mark(): number;
  /** What was written since then. */
  since(mark: number): Promise<AuditedCall[]>;
}

/** The log of GLOVEBOX_CLUSTER_AUDIT_LOG, if it is told. */
export function auditLog(): AuditLog | undefined {
  const file = process.env["GLOVEBOX_CLUSTER_AUDIT_LOG"];
  if (!file) return undefined;
  return {
    mark: () => statSync(file).size,
    async since(mark) {
      const calls: AuditedCall[] = [];
      const input = createReadStream(file, { start: mark });
      for await (const line of createInterface({ input })) {
        // The line that was being written at the mark is cut.
        if (!line.startsWith("{") || !line.includes(CONTROLLER)) continue;
        calls.push(JSON.parse(line) as AuditedCall);
      }
      return calls;
    },
  };
}

/** Calls of the controller about one scan or another: all but watches, lists, its lease, and what only a client creates. */
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

/** Who works: the part that is measured with its database, and what of the cluster runs on this machine. */
export const WORKERS = ["own", "apiServer", "controllers"] as const;
export type Worker = (typeof WORKERS)[number];

/** Processor time in milliseconds. */
export interface ProcessorTime extends Readonly<Record<Worker, number>> {
  /** Of every process of the machine and of its kernel, neighbours included. */
  readonly machine: number;
}

/** Programs by the name that Linux has for them, which it cuts after 15 characters. */
const PROGRAMS: Readonly<Record<string, Worker>> = {
  "kube-apiserver": "apiServer",
  etcd: "apiServer",
  "kube-controller": "controllers",
  "kube-scheduler": "controllers",
  kwok: "controllers",
};
const DATABASE = "postgres";

/** A tick of /proc, for programs always a hundredth of a second. */
const TICK_MS = 10;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly program: string;
  /** With that of children that have ended. */
  readonly ms: number;
}

/**
 * Tells, when it is asked, what was spent since it was made. `own` is the client process of that id and all of this
 * process's PostgreSQL. Linux alone tells.
 */
export function processorMeter(): ((client: number) => ProcessorTime) | undefined {
  if (process.platform !== "linux") return undefined;
  const before = look();
  return (client) => {
    const after = look();
    const spent = { machine: after.machine - before.machine, own: 0, apiServer: 0, controllers: 0 };
    for (const one of after.processes.values()) {
      const worker = workerOf(one, { client, all: after.processes });
      if (worker) spent[worker] += one.ms - (before.processes.get(one.pid)?.ms ?? 0);
    }
    return spent;
  };
}

function workerOf(
  { pid, program, parent }: Process,
  { client, all }: { readonly client: number; readonly all: ReadonlyMap<number, Process> },
): Worker | undefined {
  if (pid === client) return "own";
  // The servers of its connections are children of the first, which counts those that have ended.
  if (program === DATABASE && [parent, all.get(parent)?.parent].includes(process.pid)) return "own";
  return PROGRAMS[program];
}

function look(): { machine: number; processes: Map<number, Process> } {
  const [user, nice, system, , , ...interrupts] = firstLine("/proc/stat").split(/\s+/).slice(1).map(Number);
  const guests = 2; // are in the time of users already
  const all = [user!, nice!, system!, ...interrupts.slice(0, -guests)];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return {
    machine: all.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS,
    processes: new Map(pids.flatMap(processOf).map((one) => [one.pid, one])),
  };
}

/** None when it has just ended. */
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
