import type { RequestListener } from "node:http";
import { WriteLedger } from "../writes/ledger.ts";
import type { OperationFilters } from "@glovebox/domain";
import { Selection } from "../inventory/selection.ts";
import { takeInventory, type Inventory } from "../inventory/inventory.ts";
import { calibrate } from "../oracles/not-found.ts";
import { createTransport, type Transport } from "../transport/transport.ts";
import { serve } from "./serve.ts";

const NONCE = "zqxjkvbnmwptzqxj";

/** What is known of a target after the inventory, and what it was sent. */
export interface Inventoried extends Inventory {
  /** `GET /api/users/{id}`, sorted. */
  readonly names: string[];
  /** `GET /api/users?page=1`, in order, of the inventory and of `then`. */
  readonly requests: string[];
}

/** Takes the inventory of a real server through the real transport; `then` runs while the server still runs. */
export async function inventoryOf(
  target: RequestListener,
  {
    document,
    path = "/",
    filters = {},
  }: { document?: object; path?: string; filters?: OperationFilters } = {},
  then: (inventory: Inventory, transport: Transport) => Promise<void> = () => Promise.resolve(),
): Promise<Inventoried> {
  const requests: string[] = [];
  await using server = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    target(request, response);
  });
  const limits = { deadlineSeconds: 60, maxRequests: 1_000 };
  const writes = new WriteLedger();
  const selection = new Selection(filters, { target: new URL(path, server.url) });
  selection.exempt(NONCE);
  const transport = createTransport({
    writes,
    filter: selection,
    order: { pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }], limits },
    signal: AbortSignal.timeout(60_000),
    now: () => performance.now(),
    today: () => new Date(),
  });
  const send = transport.send.bind(transport);
  const base = path.replace(/\/+$/, "");
  const calibration = await calibrate(send, { origin: server.url, base, nonce: NONCE });
  requests.length = 0;
  const inventory = await takeInventory({
    send,
    target: new URL(path, server.url),
    order: { limits, ...(document ? { spec: { from: "text", text: JSON.stringify(document) } } : {}) },
    calibration,
    selection,
  });
  writes.know(inventory.operations);
  await then(inventory, transport);
  await transport.close();
  const names = inventory.operations
    .map(({ location: { method, path: at } }) => `${method} ${at}`)
    .toSorted();
  return { ...inventory, names, requests };
}
