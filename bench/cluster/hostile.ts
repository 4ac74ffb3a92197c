import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { newScanId } from "@glovebox/contract";
import type { ScanResource } from "@glovebox/k8s";
import { EXTRA_CA, extraCaObject } from "../../test/cluster/support/certificate.ts";
import { faultyScanners, type Fault } from "../../test/cluster/support/faulty-scanners.ts";
import { SCANNER_IMAGE } from "../../test/cluster/support/node-program.ts";
import { apply, getJson } from "../../test/cluster/support/kubectl.ts";
import { startTarget } from "../../test/cluster/support/target.ts";
import { spreadOf, type Figure } from "../src/figures.ts";
import { memoryOf } from "../src/processes.ts";
import type { ControllerEnvironment } from "./controller-process.ts";
import type { Stage, Submitted } from "./stage.ts";

const NAMES = new URL("../../test/cluster/support/names.mjs", import.meta.url).href;
const HOST = "api.shop.example";
const HOSTILE = "hostile";
const ORDINARY = 8;
const PATIENCE_MS = 600_000;

const MOST_DELAY_MS = 250;
/** The limit of the chart. */
const MOST_MEMORY_MIB = 256;

const MIB = 1024 * 1024;
/** What hostile scanners print in place of a report, a log of 4 MiB at most. */
const BOMBS: readonly Fault[] = [
  { name: "empty lines", noiseBytes: 400_000 },
  { name: "empty lines", noiseBytes: 400_000 },
  { name: "unpacks to objects", noiseBytes: 31 * MIB },
  { name: "unpacks to objects", noiseBytes: 31 * MIB },
  { name: "unpacks to objects", noiseBytes: 7 * MIB },
  { name: "unpacks to brackets", noiseBytes: 31 * MIB },
  { name: "unpacks to brackets", noiseBytes: 7 * MIB },
  { name: "unpacks to brackets", noiseBytes: 7 * MIB },
];

/** What the controller itself says of its event loop, and Linux of its memory. */
interface Strain {
  readonly longestMs: number;
  readonly p99Ms: number;
  readonly mostMiB: number;
}

/**
 * How much the controller is held up by scanners that were taken over: eight that print bombs beside eight ordinary ones,
 * against the ordinary ones alone. All scans must end.
 */
export async function hostileFigures(stage: Stage, report: (line: string) => void): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const target = await startTarget({ namespace: `${stage.namespace}-target`, hostName: HOST });
  cleanup.defer(() => target.remove());
  const scanners = await faultyScanners(stage.namespace);
  cleanup.defer(() => scanners.close());
  await apply(extraCaObject(stage.namespace, target.caPem));
  const pods = join(stage.database.folder, "small-scanners.json");
  writeFileSync(pods, JSON.stringify(SMALL));
  const environment = {
    NODE_OPTIONS: `--max-semi-space-size=4 --import=${NAMES}`,
    TEST_HOSTS: JSON.stringify({ [HOST]: target.address }),
    GLOVEBOX_EGRESS_ALLOW: `${target.address}/32`,
    GLOVEBOX_EXTRA_CA_CONFIG_MAP: EXTRA_CA,
    GLOVEBOX_SCANNER_FILE: pods,
    ...ALL_AT_ONCE,
  };
  const ordinary = await endedBeside(stage, scansOf("ordinary", ORDINARY), environment);
  report(`ordinary scans: ${JSON.stringify(ordinary)}`);
  await stage.clear();
  const attackers = scansOf(HOSTILE, BOMBS.length);
  scanners.choose((_, scanId) => BOMBS[attackers.findIndex(({ id }) => id === scanId)]);
  const hostile = await endedBeside(stage, [...attackers, ...scansOf("ordinary", ORDINARY)], environment);
  report(`with hostile ones: ${JSON.stringify(hostile)}`);
  return figuresOf(hostile, ordinary);
}

/** Sixteen at once on two processors. */
const SMALL = { image: SCANNER_IMAGE, resources: { cpu: "50m", memory: "384Mi", ephemeralStorage: "128Mi" } };

const ALL_AT_ONCE = {
  GLOVEBOX_MAX_CONCURRENT_SCANS: "16",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: "16",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "16",
};

const scansOf = (account: string, count: number): Submitted[] =>
  Array.from({ length: count }, () => ({ id: newScanId(new Date()), account, url: `https://${HOST}/v1` }));

/** The strain of a controller that brings these scans to their end. */
async function endedBeside(
  stage: Stage,
  scans: readonly Submitted[],
  environment: ControllerEnvironment,
): Promise<Strain> {
  await using controller = await stage.controller(environment);
  await controller.metrics(); // tells of what was since it was last asked
  await stage.submit(scans);
  const started = performance.now();
  while (controller.finished < scans.length) {
    if (performance.now() - started > PATIENCE_MS) throw new Error(`${controller.finished} scans have ended`);
    await delay(500);
  }
  await assertEnded(stage, scans);
  const metrics = await controller.metrics();
  const memory = await memoryOf(controller.pid);
  if (!memory) throw new Error("Only Linux tells how much memory a process took");
  return {
    longestMs: 1000 * metrics["nodejs_eventloop_lag_max_seconds"]!,
    p99Ms: 1000 * metrics["nodejs_eventloop_lag_p99_seconds"]!,
    mostMiB: memory.mostMiB,
  };
}

/** What was delivered is believed, and what was not is not: else the strain would be that of less work. */
async function assertEnded({ namespace }: Stage, scans: readonly Submitted[]): Promise<void> {
  const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", namespace);
  const phases = new Map(items.map(({ metadata, status }) => [metadata.name, status?.phase]));
  for (const { id, account } of scans) {
    const wanted = account === HOSTILE ? "Failed" : "Completed";
    if (phases.get(id) !== wanted) throw new Error(`A scan of ${account} ended as ${phases.get(id)}`);
  }
}

function figuresOf(hostile: Strain, ordinary: Strain): Figure[] {
  const figure = (what: string, of: (strain: Strain) => number, { unit, most }: Bound): Figure => ({
    name: `${what} while ${BOMBS.length} hostile scans end beside ${ORDINARY} ordinary ones, these alone`,
    product: `${Math.round(of(hostile))} ${unit}`,
    baseline: `${Math.round(of(ordinary))} ${unit}`,
    ratio: spreadOf([of(hostile) / of(ordinary)]),
    ...(most !== undefined && { goal: { text: `under ${most} ${unit}`, met: of(hostile) < most } }),
  });
  return [
    figure("Longest event-loop delay", ({ longestMs }) => longestMs, { unit: "ms", most: MOST_DELAY_MS }),
    figure("Event-loop delay, 99th percentile,", ({ p99Ms }) => p99Ms, { unit: "ms" }),
    figure("Most memory of the controller", ({ mostMiB }) => mostMiB, { unit: "MiB", most: MOST_MEMORY_MIB }),
  ];
}

interface Bound {
  readonly unit: string;
  readonly most?: number;
}
