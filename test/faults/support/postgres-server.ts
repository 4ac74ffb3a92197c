import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../../cli/src/standalone/postgres/start.ts";
import { runningPostmaster } from "../../../cli/src/standalone/postgres/predecessor.ts";

/** A PostgreSQL server on loopback that can be killed. */
export interface PostgresServer {
  readonly url: string;
  /** Of the postmaster; undefined while it does not run. */
  readonly pid: number | undefined;
  /** Sends SIGKILL or SIGQUIT (immediate shutdown) to the postmaster. It is not restarted. */
  crash(how: "SIGKILL" | "SIGQUIT"): Promise<void>;
  /** Restarts it with the same data and port. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "glovebox-faults-"));
  chmodSync(dataDir, 0o711); // PostgreSQL's unprivileged user must enter it
  const launch = () => startPostgres({ dataDir, fsync: false });
  let postgres = await launch();
  const { url } = postgres;
  const postmaster = () => runningPostmaster(join(realpathSync(join(dataDir, "postgres")), "data"));
  return {
    url,
    get pid() {
      return postmaster();
    },
    async crash(how) {
      const pid = postmaster();
      if (pid === undefined) throw new Error("PostgreSQL does not run");
      process.kill(pid, how);
      // Otherwise its supervisor would restart it immediately.
      await postgres.stop();
    },
    async start() {
      postgres = await launch();
      if (postgres.url !== url) throw new Error("PostgreSQL did not get its port again");
    },
    async remove() {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
