import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Binaries } from "./binaries.ts";
import { POSTGRES_ENV } from "./cluster.ts";
import type { Identity } from "./identity.ts";

/** Limit of a fast shutdown, then PostgreSQL is shut down immediately. In milliseconds. */
const SHUTDOWN_MS = 10_000;

export interface PostmasterOptions {
  readonly binaries: Binaries;
  readonly identity: Identity | undefined;
  readonly pgdata: string;
  readonly port: number;
  readonly fsync: boolean;
  readonly log: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** Starts PostgreSQL; resolves when it accepts connections, rejects with its own message when it does not start. */
export function spawnPostmaster(options: PostmasterOptions): Promise<ChildProcess> {
  const child = spawn(options.binaries.postgres, ["-D", options.pgdata, ...settings(options)], {
    cwd: options.pgdata,
    env: POSTGRES_ENV,
    stdio: ["ignore", "ignore", "pipe"],
    detached: true, // Ctrl-C is handled by this process: we stop the database last
    ...options.identity,
  });
  endWithProcess(child);
  return new Promise((ready, fail) => {
    const complaints: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      options.log(line);
      if (/(FATAL|ERROR|HINT|PANIC):/.test(line)) complaints.push(line.replace(/^.*?(?=[A-Z]+:)/, ""));
      if (line.includes("server processes terminated; reinitializing"))
        options.warn("PostgreSQL process crashed, PostgreSQL restarts");
      if (line.includes("database system is ready to accept connections")) ready(child);
    });
    child.once("error", fail);
    child.once("close", (code) =>
      fail(new Error(`PostgreSQL did not start (${code}): ${complaints.join(" ").slice(0, 1000)}`)),
    );
  });
}

/** Stops PostgreSQL when this process exits without a shutdown. */
function endWithProcess(child: ChildProcess): void {
  const end = (): void => void child.kill("SIGINT");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
}

/** Shuts PostgreSQL down, and resolves when it has exited. */
export async function stopPostmaster(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((done) => child.once("exit", done));
  const timer = setTimeout(() => child.kill("SIGQUIT"), SHUTDOWN_MS);
  child.kill("SIGINT"); // fast shutdown: ends sessions and writes a checkpoint
  await exited;
  clearTimeout(timer);
}

/** The mark of the owner process in the command line of PostgreSQL, and the id in it. */
const ownerMark = (pid: number): string => `glovebox-${pid}`;
export const markedOwner = (command: string): number | undefined => {
  const pid = /cluster_name=glovebox-(\d+)/.exec(command)?.[1];
  return pid === undefined ? undefined : Number(pid);
};

/** The port of the last start, so that its URL stays valid; another one if it is unknown or in use. */
export async function choosePort(pgdata: string): Promise<number> {
  const last = Number(/port=(\d+)/.exec(readIfThere(join(pgdata, "postmaster.opts")))?.[1] ?? 0);
  return (await bindable(last)) ?? (await bindable(0)) ?? 0;
}

/** The port (0: any) when 127.0.0.1 has it free at this moment. */
function bindable(port: number): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const { port: bound } = server.address() as AddressInfo;
      server.close(() => resolve(bound));
    });
  });
}

/** Empty where there is no such file. */
export const readIfThere = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

function settings({ port, fsync }: PostmasterOptions): string[] {
  const values = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 100,
    shared_buffers: "64MB",
    jit: "off",
    cluster_name: ownerMark(process.pid),
    lc_messages: "C",
    logging_collector: "off",
    log_statement: "none",
    log_min_error_statement: "panic", // statements carry data
    log_line_prefix: "",
    ...(fsync ? {} : { fsync: "off", full_page_writes: "off" }),
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
