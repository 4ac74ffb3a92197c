import { ANONYMOUS, type ScanOrder } from "@glovebox/contract";
import { prepareActive } from "./active/prepare.ts";
import type { Connection } from "./connect.ts";
import type { TargetProfile } from "./engine/check.ts";
import { notesOnExpectations } from "./engine/expectations.ts";
import { newNonce } from "./engine/probe.ts";
import { takeInventory } from "./inventory/inventory.ts";
import { KnownOperations } from "./inventory/known-operations.ts";
import { Routes } from "./inventory/routes.ts";
import { verifyIdentities } from "./identities/verify.ts";
import { byCaller, calibrate, type Calibration } from "./oracles/not-found.ts";
import { productsIn } from "./signatures/products.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "./transport/exchange.ts";
import { sendPatiently } from "./transport/retries.ts";

/**
 * What is learned of a target before anything is examined: how it responds, its operations and its document.
 * @throws NetworkError, SpecUnusable, IdentityRejected
 */
export async function profileTarget(
  connection: Connection,
  order: ScanOrder,
): Promise<{ profile: TargetProfile; notes: string[]; operations: KnownOperations }> {
  const { transport, selection } = connection;
  const target = new URL(order.url);
  const send = sendPatiently(transport.send.bind(transport));
  const entry = await send(readOf(target.href));
  const nonce = newNonce(); // after the first request: Node's `crypto` takes a while to load
  selection.exempt(nonce);
  const base = target.pathname.replace(/\/+$/, "");
  const random = { origin: target.origin, base, nonce };
  const calibrated = async (): Promise<Calibration> => {
    const calibration = await calibratedFor(transport.baselineCaller, send, random);
    transport.keepWhole([entry, ...calibration.missing]);
    return calibration;
  };
  let calibration = await calibrated();
  const { document, notes, ...inventory } = await takeInventory({
    ...{ send, target, order, calibration, selection },
  });
  forgoThreads(); // the spec document was read in the only one
  const operations = new KnownOperations(target.origin, inventory.operations, selection);
  learnOperations(connection, operations, inventory.neverCalled);
  const { active, notes: ofActive } = await prepareActive(connection, operations.all);
  const { callers, sessions } = connection;
  await verifyIdentities(callers, { operations: operations.all, send });
  // Who was registered may be the first who is signed in.
  if (active && calibration.missing[0]?.caller !== transport.baselineCaller) calibration = await calibrated();

  return {
    profile: {
      target,
      entry,
      host: { location: { method: "GET", path: base || "/" } },
      operations: operations.all,
      neverCalled: inventory.neverCalled,
      document,
      calibration,
      products: productsIn([entry, ...calibration.missing]),
      context: order.context,
      ...{ callers, sessions, baselineCaller: transport.baselineCaller },
      ...(active && { active }),
      expectations: order.expectations ?? [],
    },
    notes: [...notes, ...ofActive, ...notesOnExpectations(order.expectations ?? [], callers)],
    operations,
  };
}

function learnOperations(
  { transport, writes }: Connection,
  operations: KnownOperations,
  neverCalled: TargetProfile["neverCalled"],
): void {
  const routes = new Routes(operations.all);
  transport.learnRoutes((request) => routes.of(request));
  writes.know(operations.all, neverCalled);
}

/** Anonymous callers may get another response to a path that does not exist. */
async function calibratedFor(
  baselineCaller: string,
  send: (request: ProbeRequest) => Promise<ProbeResponse>,
  random: Parameters<typeof calibrate>[1],
): Promise<Calibration> {
  const ofBaseline = await calibrate(send, random);
  if (baselineCaller === ANONYMOUS) return ofBaseline;
  return byCaller(ofBaseline, await calibrate((request) => send({ ...request, as: ANONYMOUS }), random));
}

export const returnsOnlyErrors = ({ entry, calibration }: TargetProfile): boolean =>
  [entry, ...calibration.missing].every(({ status }) => status >= 500);

/**
 * Permanently takes from this process the right to start threads. Needed because Node's permission model does not
 * bind a thread that is started with its own arguments (`execArgv`). Does nothing in a process without that model.
 */
function forgoThreads(): void {
  const permission: (NodeJS.ProcessPermission & { drop?: (scope: string) => void }) | undefined =
    process.permission;
  permission?.drop?.("worker");
}
