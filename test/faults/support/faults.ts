import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { kubectl } from "../../cluster/support/kubectl.ts";
import { until } from "../../cluster/support/until.ts";
import type { Random } from "./random.ts";
import type { Rig } from "./rig.ts";

/** A part that is killed, and comes back. */
export interface Fault {
  readonly name: string;
  /** Replicas of the controller; 1 when absent. */
  readonly controllers?: number;
  /** One scan loses its pod in every attempt, so that it fails. */
  readonly destroysOneScan?: boolean;
  /** A leader that cannot renew its Lease ends, and is started again: that is intended. */
  readonly controllersMayEnd?: boolean;
  /** A scan whose canary dies is repeated: each loss costs it an attempt. */
  readonly canariesDie?: boolean;
  /** It is injected at most this often: the cluster takes long to recover. */
  readonly mostTimes?: number;
  /** What is missing to inject it; nothing when all is there. */
  readonly lack?: () => string | undefined;
  /** Resolves when what was killed is back. */
  inject(rig: Rig, moment: Moment): Promise<void>;
}

export interface Moment {
  /** The scan that has just reached the transition at which the fault is injected, if there is one. */
  readonly scanId: string | undefined;
  readonly random: Random;
}

/** Short enough for a run to end, long enough for requests to fail and to be repeated. */
const outageMs = (random: Random): number => 500 + random.below(5000);

const killController = async ({ controllers }: Rig): Promise<void> => {
  const victim = controllers.leader() ?? controllers.running()[0];
  if (victim) await controllers.kill(victim);
};

const COMPONENT = "GLOVEBOX_CLUSTER_COMPONENT";

export const FAULTS: readonly Fault[] = [
  { name: "controller", inject: killController },
  { name: "controller of two replicas", controllers: 2, inject: killController },
  {
    name: "canary",
    canariesDie: true,
    async inject({ stage: { canaries } }, { random }) {
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
    destroysOneScan: true,
    async inject({ pods }, { scanId, random }) {
      const running = pods.running();
      const victim = running.find((pod) => pod.scanId === scanId) ?? running[0];
      if (victim) await pods.destroy(victim, { gracefully: random.below(2) === 1 });
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
    controllersMayEnd: true,
    mostTimes: 5,
    lack: () =>
      process.env[COMPONENT]
        ? undefined
        : `${COMPONENT}, a command that takes "stop kube-apiserver" and "start kube-apiserver", is not set`,
    async inject(_rig, { random }) {
      const component = (what: string) =>
        promisify(execFile)(process.env[COMPONENT]!, [what, "kube-apiserver"]);
      await component("stop");
      await delay(outageMs(random));
      await component("start");
      await until("the API server answers", () =>
        kubectl(["get", "--raw", "/readyz", "--request-timeout=5s"]).then(
          () => true,
          () => false,
        ),
      );
    },
  },
];
