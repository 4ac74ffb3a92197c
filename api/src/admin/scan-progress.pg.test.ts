import { newScanId } from "@glovebox/contract";
import { expect, test } from "vitest";
import { ScanHub } from "../scans/scan-watch.ts";
import { COMMAND_LINE } from "@glovebox/store";
import { newAccount, useTestApi } from "../testing/harness.ts";
import { followScans } from "./scan-progress.ts";

const api = useTestApi();

async function following(isStillPermitted: () => Promise<boolean>) {
  const { account } = await newAccount(api.store);
  const id = newScanId(new Date());
  await api.store.scans.submit({ actor: COMMAND_LINE, id, account, url: "https://api.example/" });
  const hub = new ScanHub({ total: 10, perAccount: 10 });
  const client = new AbortController();
  const items = followScans({
    services: { hub, store: api.store, closing: new AbortController().signal },
    ...{ accountId: account.id, ids: [id], signal: client.signal, isStillPermitted, everyMs: 10 },
  });
  return { id, hub, client, items };
}

test("progress comes with its category, and only the latest of what was not read", async () => {
  const { id, hub, items } = await following(async () => true);
  expect((await items.next()).value?.[1]).toMatchObject({ id, status: "processing", category: null });
  for (const done of [1, 2, 3]) {
    const frame = { category: "injection", done, planned: 9 };
    hub.publish({ type: "scanProgress", id, frame, total: { done, planned: 20 } } as never);
  }
  expect((await items.next()).value).toMatchObject([
    `${id}:3`,
    { progress: { done: 3, planned: 20 }, category: { name: "injection", done: 3, planned: 9 } },
    expect.anything(),
  ]);
  await items.return(undefined);
  expect(hub.size).toBe(0);
});

test("a stream ends with an error once its session has ended, and watches nothing any more", async () => {
  const responses = [true, true, false];
  const { items, hub } = await following(async () => responses.shift()!);
  await items.next();
  await expect(items.next()).rejects.toMatchObject({ code: "unauthorized" });
  expect(responses).toEqual([]);
  expect(hub.size).toBe(0);
});

test("a client that disconnects ends the stream without an error", async () => {
  const { items, client, hub } = await following(async () => true);
  await items.next();
  const next = items.next();
  client.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(hub.size).toBe(0);
});

test("a stream ends with the session also while progress comes all the time", async () => {
  let isPermitted = true;
  const { id, hub, items } = await following(async () => isPermitted);
  let done = 0;
  const source = setInterval(() => {
    const frame = { category: "injection", done: ++done, planned: 9 };
    hub.publish({ type: "scanProgress", id, frame, total: { done, planned: 20 } } as never);
  }, 1);
  try {
    for (let n = 0; n < 30; n++) expect((await items.next()).done).toBe(false);
    isPermitted = false;
    const rest = async () => {
      while (!(await items.next()).done);
    };
    await expect(rest()).rejects.toMatchObject({ code: "unauthorized" });
  } finally {
    clearInterval(source);
  }
});
