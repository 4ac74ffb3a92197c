import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { newScanId } from "@glovebox/contract";
import type { ScanResource } from "@glovebox/k8s";
import { EXTRA_CA, extraCaObject } from "../../test/cluster/support/certificate.ts";
import { FAKE_DNS_AND_CLOCK } from "../../test/cluster/support/controller.ts";
import { faultyScanners, type Fault } from "../../test/cluster/support/faulty-scanners.ts";
import { SCANNER_IMAGE } from "../../test/cluster/support/node-program.ts";
import { apply, getJson } from "../../test/cluster/support/kubectl.ts";
import { startTarget } from "../../test/cluster/support/target.ts";
import { spreadOf, type Figure } from "../src/figures.ts";
import { processMemory } from "../../test/support/process-memory.ts";
import type { ControllerEnvironment } from "./controller-process.ts";
import type { Fixture, Submitted } from "./fixture.ts";

const HOST = "api.shop.example";
const HOSTILE = "hostile";
const NORMAL = 8;
const TIMEOUT_MS = 600_000;

const MAX_DELAY_MS = 250;
/** The memory limit of the chart. */
const MAX_MEMORY_MIB = 256;

const MIB = 1024 * 1024;
/** Output of the hostile scanners instead of a report, at most 4 MiB of log. */
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

/** Event-loop delay of the controller, from its metrics, and its peak memory. */
interface Measurement {
  readonly maxDelayMs: number;
  readonly p99DelayMs: number;
  readonly peakMiB: number;
}

/**
 * Event-loop delay and memory of the controller with eight compromised scanners that print bombs and eight normal ones, compared
 * with the normal ones alone. All scans must end.
 */
export async function hostileFigures(fixture: Fixture, report: (line: string) => void): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const target = await startTarget({ namespace: `${fixture.namespace}-target`, hostName: HOST });
  cleanup.defer(() => target.remove());
  const scanners = await faultyScanners(fixture.namespace);
  cleanup.defer(() => scanners.close());
  await apply(extraCaObject(fixture.namespace, target.caPem));
  const pods = join(fixture.database.folder, "small-scanners.json");
  writeFileSync(pods, JSON.stringify(SMALL));
  const environment = {
    NODE_OPTIONS: `--max-semi-space-size=4 --import=${FAKE_DNS_AND_CLOCK}`,
    TEST_HOSTS: JSON.stringify({ [HOST]: target.address }),
    GLOVEBOX_EGRESS_ALLOW: `${target.address}/32`,
    GLOVEBOX_EXTRA_CA_CONFIG_MAP: EXTRA_CA,
    GLOVEBOX_SCANNER_FILE: pods,
    ...ALL_AT_ONCE,
  };
  const normal = await measure(fixture, scansOf("normal", NORMAL), environment);
  report(`normal scans: ${JSON.stringify(normal)}`);
  await fixture.clear();
  const attackers = scansOf(HOSTILE, BOMBS.length);
  scanners.choose((_, scanId) => BOMBS[attackers.findIndex(({ id }) => id === scanId)]);
  const hostile = await measure(fixture, [...attackers, ...scansOf("normal", NORMAL)], environment);
  report(`with hostile ones: ${JSON.stringify(hostile)}`);
  return figuresOf(hostile, normal);
}

/** Small enough for sixteen pods on two processors. */
const SMALL = { image: SCANNER_IMAGE, resources: { cpu: "50m", memory: "384Mi", ephemeralStorage: "128Mi" } };

const ALL_AT_ONCE = {
  GLOVEBOX_MAX_CONCURRENT_SCANS: "16",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: "16",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "16",
};

const scansOf = (account: string, count: number): Submitted[] =>
  Array.from({ length: count }, () => ({ id: newScanId(new Date()), account, url: `https://${HOST}/v1` }));

/** Measures a controller that runs these scans to their end. */
async function measure(
  fixture: Fixture,
  scans: readonly Submitted[],
  environment: ControllerEnvironment,
): Promise<Measurement> {
  await using controller = await fixture.controller(environment);
  await controller.metrics(); // resets the event-loop metrics
  await fixture.submit(scans);
  const started = performance.now();
  while (controller.finished < scans.length) {
    if (performance.now() - started > TIMEOUT_MS) throw new Error(`${controller.finished} scans have ended`);
    await delay(500);
  }
  await assertEnded(fixture, scans);
  const metrics = await controller.metrics();
  const memory = processMemory(controller.pid);
  if (!memory) throw new Error("The memory of a process can be read on Linux only");
  return {
    maxDelayMs: 1000 * metrics["nodejs_eventloop_lag_max_seconds"]!,
    p99DelayMs: 1000 * metrics["nodejs_eventloop_lag_p99_seconds"]!,
    peakMiB: memory.peak,
  };
}

/** Normal scans must complete and hostile ones fail: otherwise the controller would have done less work. */
async function assertEnded({ namespace }: Fixture, scans: readonly Submitted[]): Promise<void> {
  const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", namespace);
  const phases = new Map(items.map(({ metadata, status }) => [metadata.name, status?.phase]));
  for (const { id, account } of scans) {
    const wanted = account === HOSTILE ? "Failed" : "Completed";
    if (phases.get(id) !== wanted) throw new Error(`A scan of ${account} ended as ${phases.get(id)}`);
  }
}

function figuresOf(hostile: Measurement, normal: Measurement): Figure[] {
  const figure = (what: string, of: (measurement: Measurement) => number, { unit, max }: Bound): Figure => ({
    name: `${what} while ${BOMBS.length} hostile scans end beside ${NORMAL} normal ones, these alone`,
    product: `${Math.round(of(hostile))} ${unit}`,
    baseline: `${Math.round(of(normal))} ${unit}`,
    ratio: spreadOf([of(hostile) / of(normal)]),
    ...(max !== undefined && { goal: { text: `under ${max} ${unit}`, met: of(hostile) < max } }),
  });
  return [
    figure("Longest event-loop delay", ({ maxDelayMs }) => maxDelayMs, { unit: "ms", max: MAX_DELAY_MS }),
    figure("Event-loop delay, 99th percentile,", ({ p99DelayMs }) => p99DelayMs, { unit: "ms" }),
    figure("Most memory of the controller", ({ peakMiB }) => peakMiB, { unit: "MiB", max: MAX_MEMORY_MIB }),
  ];
}

interface Bound {
  readonly unit: string;
  readonly max?: number;
}
