import type { ScanResource } from "@glovebox/k8s";
import { readLedger } from "@glovebox/store/testing";
import { getJson, namesOf } from "../../cluster/support/kubectl.ts";
import { until } from "../../cluster/support/until.ts";
import type { Fault } from "./faults.ts";
import type { Rig } from "./rig.ts";
import type { Evidence } from "./verdict.ts";

/** How long all scans may take to end, and what is theirs to go, once nothing dies any more. */
const REST_SECONDS = 300;

/** Waits until all has come to rest, or has had time enough to do so, and takes down what is seen then. */
export async function evidenceOf(rig: Rig, fault: Fault): Promise<Evidence> {
  const { stage, load } = rig;
  const { destroyed } = rig.hunt;
  await load.settled();
  await until("all scans have ended", () => isAtRest(rig).catch(() => false), REST_SECONDS).catch(
    () => undefined,
  );
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
    leftBehind,
    endedByItself,
    ...lead,
  };
}

async function isAtRest(rig: Rig): Promise<boolean> {
  const { scans } = await readLedger(rig.stage.databaseUrl);
  if (scans.length < rig.load.asked || scans.some(({ status }) => status === "processing")) return false;
  const resources = await scansOf(rig);
  if (resources.some(({ status }) => status?.finishedAt === undefined)) return false;
  return (await leftBehindOf(rig)).length === 0;
}

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
    const [, identity = "somebody"] = /"identity":"([^"]+)","msg":"leading"/.exec(lines.join("\n")) ?? [];
    leaders.push(identity);
  }
  const lease = await getJson<{ spec: { holderIdentity?: string } }>(
    ...["lease", "glovebox-controller", "-n", stage.namespace],
  );
  return { leaders, holder: lease.spec.holderIdentity };
}
