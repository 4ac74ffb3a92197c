import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../../cli/src/standalone/postgres/start.ts";
import { runningPostmaster } from "../../../cli/src/standalone/postgres/predecessor.ts";

/** A real PostgreSQL on loopback that can be made to die. */
export interface PostgresServer {
  readonly url: string;
  /** SIGKILL to the postmaster, or a shutdown that waits for nobody; it stays away. */
  crash(how: "SIGKILL" | "SIGQUIT"): Promise<void>;
  /** Again, on the same data and the same port. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "glovebox-faults-"));
  chmodSync(dataDir, 0o711); // PostgreSQL's unprivileged user must enter it
  const begin = () => startPostgres({ dataDir, fsync: false });
  let postgres = await begin();
  const { url } = postgres;
  return {
    url,
    async crash(how) {
      const pid = runningPostmaster(join(realpathSync(join(dataDir, "postgres")), "data"));
      if (pid === undefined) throw new Error("PostgreSQL does not run");
      process.kill(pid, how);
      // Whoever supervises it would start it again at once.
      await postgres.stop();
    },
    async start() {
      postgres = await begin();
      if (postgres.url !== url) throw new Error("PostgreSQL did not get its port again");
    },
    async remove() {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
