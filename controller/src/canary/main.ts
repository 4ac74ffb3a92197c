import { systemClock } from "@glovebox/kube";
import { readSettings } from "@glovebox/settings";
import { startCanary } from "./listener.ts";
import { Prober } from "./prober.ts";
import { CANARY_SETTINGS } from "./settings.ts";

const EXIT_UNUSABLE = 2;

const print = (line: string): void => void process.stderr.write(`${line}\n`);

/** Writes lines in the format of pino, without its memory. */
const INFO = 30;
const WARN = 40;
const log = (level: number, fields: object): void =>
  print(JSON.stringify({ level, time: Date.now(), ...fields }));

/** `canary.mjs` listens until SIGTERM or SIGINT, and probes the other canaries, so that each knows that it is reachable. */
async function main(): Promise<void> {
  const { settings, warnings } = readSettings(CANARY_SETTINGS, process.env);
  for (const warning of warnings) log(WARN, { msg: warning });
  const { monotonic } = systemClock;
  const canary = await startCanary({ ...settings, monotonic });
  const peers = new Prober({ targets: settings.peers, instance: canary.instance, clock: systemClock });
  log(INFO, { instance: canary.instance, port: canary.port, msg: "ready" });
  peers.start();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));

await main().catch((error: unknown) => {
  print(`glovebox-canary: ${error instanceof Error ? error.message : "no reason given"}`);
  process.exit(EXIT_UNUSABLE);
});
