import { parseSettings } from "../settings.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { startStandalone } from "./standalone.ts";
import { welcome } from "./welcome.ts";

/** Longer than it takes to answer held requests and stop PostgreSQL; a shutdown that hangs must end too. */
const SHUTDOWN_MS = 30_000;

/** Runs the service with the settings of the environment, until SIGINT or SIGTERM. */
export async function serve(): Promise<void> {
  const { settings, warnings } = parseSettings(process.env);
  for (const warning of warnings) console.error(`glovebox: ${warning}.`);
  keepHeapSmall();
  const stopped = firstStopSignal();
  const standalone = await startStandalone(settings);
  console.log(welcome(standalone));

  await stopped;
  console.error("glovebox: stopping…");
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
  await standalone.close();
}

/** Later signals change nothing: a terminal and a parent may both send one. */
const firstStopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  });
