import { describe, expect, it } from "vitest";
import { aReply } from "../testing/samples.ts";
import type { ProbeRequest } from "./exchange.ts";
import { NetworkError } from "./network-error.ts";
import { retrying, sendPatiently } from "./retries.ts";

const get = (url: string): ProbeRequest => ({ method: "GET", url });
const REQUEST = get("https://a.test/rooms?floor=1");

/** Sends against a target that answers with these statuses one after the other, and then with the last. */
function against(statuses: readonly number[], headers: Record<string, string> = {}) {
  let sent = 0;
  const send = retrying(
    () => new Date(0),
    (request) => {
      const status = statuses[Math.min(sent++, statuses.length - 1)]!;
      return Promise.resolve(aReply({ request, status, headers }));
    },
  );
  return { send, sent: () => sent };
}

describe("a request that is throttled", () => {
  it.each<[string, readonly number[], { status: number; sent: number }]>([
    ["is sent once where it is answered", [200], { status: 200, sent: 1 }],
    ["is sent again until it is answered", [429, 429, 404], { status: 404, sent: 3 }],
    ["is given up after four times", [429], { status: 429, sent: 4 }],
    ["is not sent again for a fault", [500], { status: 500, sent: 1 }],
  ])("%s", async (_, statuses, expected) => {
    const { send, sent } = against(statuses);
    expect({ status: (await send(REQUEST, {})).status, sent: sent() }).toEqual(expected);
  });

  it("is sent once where throttling is what is tested", async () => {
    const { send, sent } = against([429]);
    await send(REQUEST, { retry: false });
    expect(sent()).toBe(1);
  });

  it("is sent once where the target asks for a pause longer than any", async () => {
    const { send, sent } = against([429], { "retry-after": "60" });
    await send(REQUEST, {});
    expect(sent()).toBe(1);
  });

  it("is sent once where everything has been throttled for long, until something is answered", async () => {
    const statuses = [429, 429, 429, 429, 429, 200, 429, 200];
    const { send, sent } = against(statuses);
    const counts = [];
    for (const path of ["/a", "/b", "/c", "/d"]) {
      const before = sent();
      await send(get(`https://a.test${path}`), {});
      counts.push(sent() - before);
    }
    expect(counts).toEqual([4, 1, 1, 2]);
  });

  it("is sent once at an address with a limit of its own, whatever its query", async () => {
    const { send, sent } = against([429, 429, 429, 429, 200, 429]);
    await send(REQUEST, {});
    await send(get("https://a.test/others"), {});
    const before = sent();
    await send(get("https://a.test/rooms?floor=2"), {});
    expect(sent() - before).toBe(1);
  });
});

describe("an ordinary request", () => {
  const failing = (kinds: readonly ("reset" | "refused" | "timeout")[]) => {
    let sent = 0;
    const send = sendPatiently((request: ProbeRequest) => {
      const kind = kinds[sent++];
      return kind === undefined
        ? Promise.resolve(aReply({ request }))
        : Promise.reject(new NetworkError(kind, kind));
    });
    return { send, sent: () => sent };
  };

  it("is sent up to twice more when the connection is lost", async () => {
    const { send, sent } = failing(["reset", "refused"]);
    await send(REQUEST);
    expect(sent()).toBe(3);
  });

  it.each([
    [["reset", "reset", "reset"], 3],
    [["timeout"], 1],
  ] as const)("fails after %j", async (kinds, count) => {
    const { send, sent } = failing(kinds);
    await expect(send(REQUEST)).rejects.toBeInstanceOf(NetworkError);
    expect(sent()).toBe(count);
  });
});
