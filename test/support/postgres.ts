import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// By path: Vitest loads this file before the "source" condition applies.
import { startPostgres } from "../../cli/src/standalone/postgres/start.ts";
import type { TestProject } from "vitest/node";
import type { ProvidedName } from "@glovebox/store/testing";

const PROVIDED: ProvidedName = "databaseUrl";

/** Starts a temporary PostgreSQL for the test run, or uses TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given) {
    project.provide(PROVIDED, given);
    return undefined;
  }

  const dataDir = mkdtempSync(join(tmpdir(), "glovebox-test-"));
  chmodSync(dataDir, 0o711); // PostgreSQL's unprivileged user must enter it
  const postgres = await startPostgres({ dataDir, fsync: false });
  project.provide(PROVIDED, postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
