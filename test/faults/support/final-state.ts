import { setTimeout as delay } from "node:timers/promises";
import type { ScanResource } from "@glovebox/k8s";
import { readLedger, type Ledger } from "@glovebox/store/testing";
import { getJson, namesOf } from "../../cluster/support/kubectl.ts";
import type { Fault } from "./faults.ts";
import type { System } from "./system.ts";
import type { FinalState } from "./guarantees.ts";

/** Stop waiting for scans to end when nothing has changed for this time. */
const STALLED_MS = 240_000;
const POLL_MS = 1000;

/** Waits until every scan has ended and its objects are deleted, or nothing changes any more, and reads the state. */
export async function finalStateOf(system: System, fault: Fault): Promise<FinalState> {
  const { fixture, load } = system;
  const { deletions } = system.pods;
  await load.settled();
  await settle(system);
  const [ledger, scans, leftBehind, leadership] = await Promise.all([
    readLedger(fixture.databaseUrl),
    scansOf(system),
    leftBehindOf(system),
    leadershipOf(system),
  ]);
  const { submitted, acceptedIds, applied, unexpectedResponses } = load;
  const unexpectedExits = [
    ...(fault.controllersMayExit
      ? []
      : system.controllers.unexpectedExits.map((code) => `the controller (${code})`)),
    ...system.api.unexpectedExits.map((code) => `the API (${code})`),
  ];
  return {
    submitted,
    acceptedIds,
    applied,
    unexpectedResponses,
    ledger,
    scans,
    deletions,
    canariesKilled: fault.killsCanaries ?? false,
    leftBehind,
    unexpectedExits,
    ...leadership,
  };
}

async function settle(system: System): Promise<void> {
  let before = "";
  for (let changedAt = Date.now(); Date.now() - changedAt < STALLED_MS; await delay(POLL_MS)) {
    const now = await Promise.all([
      readLedger(system.fixture.databaseUrl),
      scansOf(system),
      leftBehindOf(system),
    ]);
    if (isSettled(now, system.load.submitted)) return;
    const text = JSON.stringify(now);
    if (text !== before) changedAt = Date.now();
    before = text;
  }
}

const isSettled = (
  [ledger, scans, leftBehind]: readonly [Ledger, readonly ScanResource[], readonly string[]],
  submitted: number,
): boolean =>
  ledger.scans.length >= submitted &&
  ledger.scans.every(({ status }) => status !== "processing") &&
  scans.every(({ status }) => status?.finishedAt !== undefined) &&
  leftBehind.length === 0;

async function scansOf({ fixture }: System): Promise<ScanResource[]> {
  const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", fixture.namespace);
  return items;
}

async function leftBehindOf({ fixture }: System): Promise<string[]> {
  const kinds = ["jobs", "pods", "networkpolicies"];
  const names = await Promise.all(kinds.map((kind) => namesOf(kind, fixture.namespace)));
  return names.flat().filter((name) => name.startsWith("scan-"));
}

/** The leaders according to the controllers' metrics and logs, and the holder of the Lease. */
async function leadershipOf({
  fixture,
  controllers,
}: System): Promise<Pick<FinalState, "leaders" | "holder">> {
  const leaders: string[] = [];
  for (const { url, lines } of controllers.running()) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (!/^glovebox_controller_leader 1$/m.test(metrics)) continue;
    const [, identity = "unknown"] =
      /"identity":"([^"]+)","msg":"elected as leader"/.exec(lines.join("\n")) ?? [];
    leaders.push(identity);
  }
  const lease = await getJson<{ spec: { holderIdentity?: string } }>(
    ...["lease", "glovebox-controller", "-n", fixture.namespace],
  );
  return { leaders, holder: lease.spec.holderIdentity };
}
