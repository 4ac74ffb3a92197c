import { systemClock } from "../runtime/clock.ts";
import { startCanary } from "./listener.ts";
import { Prober } from "./prober.ts";
import { readCanarySettings } from "./settings.ts";

const EXIT_UNUSABLE = 2;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** `canary.mjs` listens until SIGTERM or SIGINT, and calls its peers, so that each knows that it can be reached. */
async function main(): Promise<void> {
  const settings = readCanarySettings(process.env);
  const { monotonic } = systemClock;
  const canary = await startCanary({ ...settings, monotonic });
  const peers = new Prober({ places: settings.peers, name: canary.instance, clock: systemClock });
  say(
    JSON.stringify({
      level: 30,
      time: Date.now(),
      instance: canary.instance,
      port: canary.port,
      msg: "ready",
    }),
  );
  peers.start();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));

await main().catch((error: unknown) => {
  say(`glovebox-canary: ${error instanceof Error ? error.message : "no reason given"}`);
  process.exit(EXIT_UNUSABLE);
});
