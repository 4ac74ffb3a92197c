import { setTimeout as delay } from "node:timers/promises";
import type { ScanResource } from "@glovebox/k8s";
import { readLedger, type Ledger } from "@glovebox/store/testing";
import { getJson, namesOf } from "../../cluster/support/kubectl.ts";
import type { Fault } from "./faults.ts";
import type { Rig } from "./rig.ts";
import type { Evidence } from "./verdict.ts";

/** Scans that have not ended are given up when nothing at all has changed for so long after the last fault. */
const STILL_MS = 240_000;
const LOOK_AGAIN_MS = 1000;

/** Waits until every scan has ended and is cleaned up, or nothing changes any more, and collects the state. */
export async function evidenceOf(rig: Rig, fault: Fault): Promise<Evidence> {
  const { stage, load } = rig;
  const { destroyed } = rig.pods;
  await load.settled();
  await rest(rig);
  const [ledger, scans, leftBehind, lead] = await Promise.all([
    readLedger(stage.databaseUrl),
    scansOf(rig),
    leftBehindOf(rig),
    leadOf(rig),
  ]);
  const { asked, answered, applied, oddAnswers } = load;
  const endedByItself = [
    ...(fault.controllersMayEnd
      ? []
      : rig.controllers.endedByItself.map((code) => `the controller (${code})`)),
    ...rig.api.endedByItself.map((code) => `the API (${code})`),
  ];
  return {
    asked,
    answered,
    applied,
    oddAnswers,
    ledger,
    scans,
    destroyed,
    canariesDied: fault.canariesDie ?? false,
    leftBehind,
    endedByItself,
    ...lead,
  };
}

/** On a busy machine it takes as long as it takes. */
async function rest(rig: Rig): Promise<void> {
  let before = "";
  for (let changedAt = Date.now(); Date.now() - changedAt < STILL_MS; await delay(LOOK_AGAIN_MS)) {
    const now = await Promise.all([readLedger(rig.stage.databaseUrl), scansOf(rig), leftBehindOf(rig)]);
    if (isAtRest(now, rig.load.asked)) return;
    const seen = JSON.stringify(now);
    if (seen !== before) changedAt = Date.now();
    before = seen;
  }
}

const isAtRest = (
  [ledger, scans, leftBehind]: readonly [Ledger, readonly ScanResource[], readonly string[]],
  asked: number,
): boolean =>
  ledger.scans.length >= asked &&
  ledger.scans.every(({ status }) => status !== "processing") &&
  scans.every(({ status }) => status?.finishedAt !== undefined) &&
  leftBehind.length === 0;

async function scansOf({ stage }: Rig): Promise<ScanResource[]> {
  const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", stage.namespace);
  return items;
}

async function leftBehindOf({ stage }: Rig): Promise<string[]> {
  const kinds = ["jobs", "pods", "networkpolicies"];
  const names = await Promise.all(kinds.map((kind) => namesOf(kind, stage.namespace)));
  return names.flat().filter((name) => name.startsWith("scan-"));
}

/** Who leads by the metrics of each controller and the name that it gave itself in its log, and who by the Lease. */
async function leadOf({ stage, controllers }: Rig): Promise<Pick<Evidence, "leaders" | "holder">> {
  const leaders: string[] = [];
  for (const { url, lines } of controllers.running()) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (!/^glovebox_controller_leader 1$/m.test(metrics)) continue;
    const [, identity = "somebody"] =
      /"identity":"([^"]+)","msg":"elected as leader"/.exec(lines.join("\n")) ?? [];
    leaders.push(identity);
  }
  const lease = await getJson<{ spec: { holderIdentity?: string } }>(
    ...["lease", "glovebox-controller", "-n", stage.namespace],
  );
  return { leaders, holder: lease.spec.holderIdentity };
}
