import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import type { ProbeRequest } from "./exchange.ts";
import { NetworkError } from "./network-error.ts";
import { retrying, sendPatiently } from "./retries.ts";

const get = (url: string): ProbeRequest => ({ method: "GET", url });
const REQUEST = get("https://a.test/rooms?floor=1");

/** Sends to a target that responds with these statuses one after the other, and then with the last. */
async function sendTo(
  statuses: readonly number[],
  { isWaitedFor = true, retry = true }: { isWaitedFor?: boolean; retry?: boolean } = {},
) {
  let sent = 0;
  const send = () => {
    const status = statuses[Math.min(sent++, statuses.length - 1)]!;
    return Promise.resolve(aResponse({ request: REQUEST, status }));
  };
  const gate = { isWaitedFor: () => isWaitedFor };
  const { status } = await retrying(send, { gate, path: "GET /rooms", retry });
  return { status, sent };
}

describe("a request that is throttled", () => {
  it.each<[string, readonly number[], { status: number; sent: number }]>([
    ["is sent once where there is a response", [200], { status: 200, sent: 1 }],
    ["is sent again until there is a response", [429, 429, 404], { status: 404, sent: 3 }],
    ["is given up after four times", [429], { status: 429, sent: 4 }],
    ["is not sent again for a fault", [500], { status: 500, sent: 1 }],
  ])("%s", async (_, statuses, expected) => expect(await sendTo(statuses)).toEqual(expected));

  it("a request that is throttled is sent once where throttling is what is tested", async () => {
    expect(await sendTo([429], { retry: false })).toEqual({ status: 429, sent: 1 });
  });

  it("a request that is throttled is sent once where its path is not waited for", async () => {
    expect(await sendTo([429, 200], { isWaitedFor: false })).toEqual({ status: 429, sent: 1 });
  });
});

describe("a baseline request", () => {
  const failing = (kinds: readonly ("reset" | "refused" | "cut" | "timeout" | "crash")[]) => {
    let sent = 0;
    const send = sendPatiently((request: ProbeRequest) => {
      const kind = kinds[sent++];
      return kind === undefined
        ? Promise.resolve(aResponse({ request }))
        : Promise.reject(new NetworkError(kind, kind));
    });
    return { send, sent: () => sent };
  };

  it("a baseline request is sent up to twice more when the connection is lost", async () => {
    const { send, sent } = failing(["reset", "cut"]);
    await send(REQUEST);
    expect(sent()).toBe(3);
  });

  it.each([
    [["reset", "reset", "reset"], 3],
    [["timeout"], 1],
    [["crash"], 1],
  ] as const)("fails after %j", async (kinds, count) => {
    const { send, sent } = failing(kinds);
    await expect(send(REQUEST)).rejects.toBeInstanceOf(NetworkError);
    expect(sent()).toBe(count);
  });
});
