import { setTimeout as delay } from "node:timers/promises";
import { childrenOf } from "../../../test/support/process-tree.ts";
import type { Outage } from "./facts.ts";
import type { SoakSystem } from "./system.ts";

interface PlannedOutage extends Pick<Outage, "component" | "service"> {
  /** The part of the run after which it begins. */
  readonly after: number;
  /** Resolves when the component runs again. */
  readonly inject: (system: SoakSystem, outageMs: number) => Promise<void>;
}

const killService = (service: number): PlannedOutage["inject"] =>
  async function kill({ services }) {
    const [victim] = services[service]!.running();
    if (victim) await services[service]!.kill(victim);
  };

/** Each component once, all before the last third, in which memory is compared. */
const OUTAGES: readonly PlannedOutage[] = [
  {
    ...{ component: "scanners", after: 0.1 },
    async inject({ services }) {
      for (const { command } of services.flatMap((service) => service.running()))
        for (const scanner of childrenOf(command.pid)) process.kill(scanner, "SIGKILL");
    },
  },
  {
    ...{ component: "Redis", after: 0.18 },
    async inject({ redis }, outageMs) {
      await redis.crash();
      await delay(outageMs);
      await redis.start();
    },
  },
  {
    ...{ component: "PostgreSQL", after: 0.28 },
    async inject({ postgres }, outageMs) {
      await postgres.crash("SIGQUIT");
      await delay(outageMs);
      await postgres.start();
    },
  },
  { component: "service", service: 0, after: 0.4, inject: killService(0) },
  { component: "service", service: 1, after: 0.5, inject: killService(1) },
];

const MAX_OUTAGE_MS = 20_000;
const OUTAGE_SHARE = 1 / 20;

/** Injects the outages during a run of this duration; resolves with when they were. */
export async function injectOutages(
  system: SoakSystem,
  totalMs: number,
  report: (line: string) => void,
): Promise<Outage[]> {
  const started = Date.now();
  const outages: Outage[] = [];
  for (const { component, service, after, inject } of OUTAGES) {
    await delay(Math.max(0, started + after * totalMs - Date.now()));
    const from = Date.now();
    await inject(system, Math.min(MAX_OUTAGE_MS, totalMs * OUTAGE_SHARE));
    outages.push({ component, service, from, to: Date.now() });
    report(`${component}${service === undefined ? "" : ` ${service}`}: out for ${Date.now() - from} ms`);
  }
  return outages;
}
