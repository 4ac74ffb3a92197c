import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { kubectl } from "../../cluster/support/kubectl.ts";
import { until } from "../../cluster/support/until.ts";
import type { Random } from "./random.ts";
import type { Rig } from "./rig.ts";

/** Something that is made to die, and comes back. */
export interface Fault {
  readonly name: string;
  /** Replicas of the controller; 1 when absent. */
  readonly controllers?: number;
  /** A scan to which it happens in every attempt, so that it fails. */
  readonly huntsOne?: boolean;
  /** A leader that was away from the API server for long ends, and is started again: that is as intended. */
  readonly controllersMayEnd?: boolean;
  /** Scans lose the canaries that they were started beside, and with them an attempt each time. */
  readonly canariesDie?: boolean;
  /** It is played no more often than that: the cluster takes long to find itself again. */
  readonly mostTimes?: number;
  /** What it cannot be played without; nothing when all is there. */
  readonly lack?: () => string | undefined;
  /** Resolves when what died is back. */
  strike(rig: Rig, blow: Blow): Promise<void>;
}

export interface Blow {
  /** The scan that has just got somewhere, if one has. */
  readonly scanId: string | undefined;
  readonly random: Random;
}

/** Short enough for a run to end, long enough for calls to fail and to be tried again. */
const outageMs = (random: Random): number => 500 + random.below(5000);

const killController = async ({ controllers }: Rig): Promise<void> => {
  const victim = controllers.leader() ?? controllers.running()[0];
  if (victim) await controllers.kill(victim);
};

const COMPONENT = "GLOVEBOX_CLUSTER_COMPONENT";

export const FAULTS: readonly Fault[] = [
  { name: "controller", strike: killController },
  { name: "controller of two replicas", controllers: 2, strike: killController },
  {
    name: "canary",
    canariesDie: true,
    async strike({ stage: { canaries } }, { random }) {
      const victim = random.below(2);
      await canaries.kill(victim);
      await canaries.start(victim);
    },
  },
  {
    name: "API",
    async strike({ api }) {
      const [victim] = api.running();
      if (victim) await api.kill(victim);
    },
  },
  {
    name: "scan pod",
    huntsOne: true,
    async strike({ hunt }, { scanId, random }) {
      const running = hunt.pods.running();
      const victim = running.find((pod) => pod.scanId === scanId) ?? running[0];
      if (victim) await hunt.destroy(victim, random.below(2) === 0);
    },
  },
  {
    name: "PostgreSQL",
    async strike({ postgres }, { random }) {
      await postgres.crash(random.pick(["SIGKILL", "SIGQUIT"]));
      await delay(outageMs(random));
      await postgres.start();
    },
  },
  {
    name: "Redis",
    async strike({ redis }, { random }) {
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
    async strike(_rig, { random }) {
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
