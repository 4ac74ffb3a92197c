import { once } from "node:events";
import { keepHeapSmall, stopSignal } from "@glovebox/api";
import { parseSettings } from "../settings.ts";
import { banner } from "./banner.ts";
import { startStandalone } from "./standalone.ts";

/** Limit of a shutdown that hangs; longer than a normal one, which also stops PostgreSQL. */
const SHUTDOWN_MS = 30_000;

/**
 * Runs the service with the settings of the environment, until SIGINT or SIGTERM. A signal during the start stops it after the
 * current step; a second one ends the process immediately.
 */
export async function serveStandalone(): Promise<void> {
  const { settings, warnings } = parseSettings(process.env);
  for (const warning of warnings) console.error(`glovebox: ${warning}.`);
  keepHeapSmall();
  const stop = stopSignal({
    source: process,
    clock: () => performance.now(),
    end: () => process.exit(1),
  });
  stop.addEventListener("abort", onStop, { once: true });
  const standalone = await startStandalone(settings, stop).catch((error: unknown) => {
    if (!stop.aborted) throw error; // else it has stopped as requested
  });
  if (!standalone) return;
  console.log(banner(standalone));
  if (!stop.aborted) await once(stop, "abort");
  await standalone.close();
}

function onStop(): void {
  console.error("glovebox: stopping…");
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
}
