import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { kubectl } from "../../cluster/support/kubectl.ts";
import { until } from "../../cluster/support/until.ts";
import type { Random } from "./random.ts";
import type { System } from "./system.ts";

/** A component that is killed and restarted. */
export interface Fault {
  readonly name: string;
  /** Replicas of the controller; 1 by default. */
  readonly controllers?: number;
  /** The pod of one scan is deleted in every attempt, so that this scan fails. */
  readonly failsOneScan?: boolean;
  /** Controllers may exit, because a leader exits when it cannot renew its Lease. */
  readonly controllersMayExit?: boolean;
  /** Canaries are killed: each loss costs a scan an attempt. */
  readonly killsCanaries?: boolean;
  /** Maximum number of injections, if the cluster takes long to recover. */
  readonly maxTimes?: number;
  /** Why this fault cannot be injected here; undefined if it can. */
  readonly missing?: () => string | undefined;
  /** Resolves when the component runs again. */
  inject(system: System, context: InjectionContext): Promise<void>;
}

export interface InjectionContext {
  /** The scan that has reached the transition at which the fault is injected; undefined at a random time. */
  readonly scanId: string | undefined;
  readonly random: Random;
}

/** Long enough for requests to fail and to be repeated. */
const outageMs = (random: Random): number => 500 + random.below(5000);

const killController = async ({ controllers }: System): Promise<void> => {
  const victim = controllers.leader() ?? controllers.running()[0];
  if (victim) await controllers.kill(victim);
};

const COMPONENT = "GLOVEBOX_CLUSTER_COMPONENT";

export const FAULTS: readonly Fault[] = [
  { name: "controller", inject: killController },
  { name: "controller of two replicas", controllers: 2, inject: killController },
  {
    name: "canary",
    killsCanaries: true,
    async inject({ fixture: { canaries } }, { random }) {
      const victim = random.below(2);
      await canaries.kill(victim);
      await canaries.start(victim);
    },
  },
  {
    name: "API",
    async inject({ api }) {
      const [victim] = api.running();
      if (victim) await api.kill(victim);
    },
  },
  {
    name: "scan pod",
    failsOneScan: true,
    async inject({ pods }, { scanId, random }) {
      const running = pods.running();
      const victim = running.find((pod) => pod.scanId === scanId) ?? running[0];
      if (victim) await pods.delete(victim, { gracefully: random.below(2) === 1 });
    },
  },
  {
    name: "PostgreSQL",
    async inject({ postgres }, { random }) {
      await postgres.crash(random.pick(["SIGKILL", "SIGQUIT"]));
      await delay(outageMs(random));
      await postgres.start();
    },
  },
  {
    name: "Redis",
    async inject({ redis }, { random }) {
      await redis.crash();
      await delay(outageMs(random));
      await redis.start();
    },
  },
  {
    name: "API server",
    controllersMayExit: true,
    maxTimes: 5,
    missing: () =>
      process.env[COMPONENT]
        ? undefined
        : `${COMPONENT}, a command that takes "stop kube-apiserver" and "start kube-apiserver", is not set`,
    async inject(_system, { random }) {
      const component = (action: string) =>
        promisify(execFile)(process.env[COMPONENT]!, [action, "kube-apiserver"]);
      await component("stop");
      await delay(outageMs(random));
      await component("start");
      await until("the API server to respond", () =>
        kubectl(["get", "--raw", "/readyz", "--request-timeout=5s"]).then(
          () => true,
          () => false,
        ),
      );
    },
  },
];
