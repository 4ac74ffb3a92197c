import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import type { ProbeRequest } from "./exchange.ts";
import { LostConnections } from "./lost-connections.ts";
import { networkError } from "./network-error.ts";

const get = (path: string): ProbeRequest => ({ method: "GET", url: `https://a.test${path}` });
const ENTRY = get("/");
const ATTACK = get("/items?q='");

/** A target with its own clock, which is up from `backAt` on. */
class FakeTarget {
  now = 0;
  backAt = 0;
  connections = 0;
  readonly sent: string[] = [];
  /** What a request does while the target is up: the status, or a lost connection. */
  onRequest: (request: ProbeRequest) => number | "reset" = () => 200;

  crash(forMs: number): "reset" {
    this.backAt = this.now + forMs;
    this.connections++;
    return "reset";
  }

  readonly lost = new LostConnections({
    mayRepeat: () => true,
    gate: { alone: (work) => work() },
    now: () => this.now,
    wait: (ms) => ((this.now += ms), Promise.resolve()),
    routeOf: ({ method, url }) => `${method} ${new URL(url).pathname}`,
    watchConnections: () => {
      const before = this.connections;
      return () => this.connections > before;
    },
    send: (request) => {
      this.sent.push(request.url.slice("https://a.test".length));
      if (this.now < this.backAt) return Promise.reject(networkError("refused"));
      const status = this.onRequest(request);
      return status === "reset"
        ? Promise.reject(networkError("reset"))
        : Promise.resolve(aResponse({ request, status }));
    },
  });

  /** Sends as the gate does. */
  async send(request: ProbeRequest): Promise<number | string> {
    try {
      return await this.lost.send(request).then(
        ({ status }) => status,
        async (error: unknown) => (await this.lost.explain(error, request)).status,
      );
    } catch (error) {
      return (error as { kind: string }).kind;
    }
  }

  sentOf(request: ProbeRequest): number {
    return this.sent.filter((url) => request.url.endsWith(url)).length;
  }
}

async function targetWithEntry(): Promise<FakeTarget> {
  const target = new FakeTarget();
  await target.send(ENTRY);
  await target.send(get("/items?q=tea"));
  return target;
}

const isAttack = ({ url }: ProbeRequest): boolean => url.includes("'");

describe("a lost connection", () => {
  it("a lost connection is the response to the request sent again where the network failed", async () => {
    const target = await targetWithEntry();
    let failures = 1;
    target.onRequest = (request) => (isAttack(request) && failures-- > 0 ? "reset" : 200);
    expect(await target.send(ATTACK)).toBe(200);
    expect(target.lost.suspects).toEqual([]);
  });

  it("a lost connection is waited for while the target restarts, and is not a crash of a request that gets a response then", async () => {
    const target = await targetWithEntry();
    target.crash(700);
    expect(await target.send(get("/items?q=coffee"))).toBe(200);
    expect(target.lost.suspects).toEqual([]);
  });

  it.each([10, 900])(
    "a lost connection is a crash where the target is away for %i ms each time",
    async (ms) => {
      const target = await targetWithEntry();
      target.onRequest = (request) => (isAttack(request) ? target.crash(ms) : 200);
      expect(await target.send(ATTACK)).toBe("crash");
      expect([target.lost.suspects.length, target.sentOf(ATTACK)]).toEqual([1, 2]);
      expect(await target.send(get("/items?q=x'"))).toBe("crash");
      expect(target.sentOf(get("/items?q=x'"))).toBe(0);
    },
  );

  it("a lost connection is a crash where other connections are closed with it, though the target is back immediately", async () => {
    const target = await targetWithEntry();
    target.onRequest = (request) => (isAttack(request) ? target.crash(0) : 200);
    expect(await target.send(ATTACK)).toBe("crash");
  });

  it("a lost connection is cut where a read is lost three times alone and the target goes on, and is not sent again", async () => {
    const target = await targetWithEntry();
    target.onRequest = (request) => (isAttack(request) ? "reset" : 200);
    expect([await target.send(ATTACK), await target.send(ATTACK)]).toEqual(["cut", "cut"]);
    expect([target.lost.suspects.length, target.sentOf(ATTACK)]).toEqual([0, 4]);
  });

  it.each([1, 2])(
    "a lost connection is random where a read gets a response after %i losses alone",
    async (losses) => {
      const target = await targetWithEntry();
      let failures = 1 + losses;
      target.onRequest = (request) => (isAttack(request) && failures-- > 0 ? "reset" : 200);
      expect([await target.send(ATTACK), await target.send(ATTACK)]).toEqual([200, 200]);
    },
  );

  it("a lost connection is cut where a write is lost twice: it may have been stored each time", async () => {
    const target = await targetWithEntry();
    target.onRequest = ({ method }) => (method === "POST" ? "reset" : 200);
    const write: ProbeRequest = { ...ATTACK, method: "POST" };
    expect(await target.send(write)).toBe("cut");
    expect(target.sentOf(write)).toBe(2);
  });

  it("a lost connection is cut where a control is randomly lost", async () => {
    const target = await targetWithEntry();
    let controls = 0;
    target.onRequest = (request) => (isAttack(request) || ++controls === 3 ? "reset" : 200);
    expect(await target.send(ATTACK)).toBe("cut");
  });

  it("a lost connection is cut where the server closes other connections at harmless requests too", async () => {
    const target = await targetWithEntry();
    target.onRequest = (request) => {
      target.connections++;
      return isAttack(request) ? "reset" : 200;
    };
    expect(await target.send(ATTACK)).toBe("cut");
  });

  it("a lost connection is found out after an outage that is longer than the wait", async () => {
    const target = await targetWithEntry();
    target.onRequest = (request) => (isAttack(request) ? target.crash(60_000) : 200);
    expect(await target.send(ATTACK)).toBe("reset");
    expect(await target.send(get("/items?q=coffee")), "lost during the outage").toBe("refused");
    target.now += 60_000;
    expect(await target.lost.findCause(), "away once more").toBe(true);
    expect(target.lost.suspects.map(({ request }) => request)).toEqual([ATTACK]);
    target.now += 60_000;
    expect(await target.lost.findCause()).toBe(false);
    expect([await target.send(ATTACK), target.sentOf(ATTACK)]).toEqual(["crash", 2]);
  });
});

it("connections of a target that loses every second one are not explained without end", async () => {
  const target = await targetWithEntry();
  let requests = 0;
  target.onRequest = () => (++requests % 2 === 0 ? "reset" : 200);
  for (let sent = 0; sent < 200; sent++) await target.send(get(`/items?q=${"a".repeat(sent)}`));
  expect(target.sent.length).toBeLessThan(400);
  expect(target.lost.suspects).toEqual([]);
});

describe("a crash after the response", () => {
  it("a crash after the response is found among the requests before the outage, and is not repeated", async () => {
    const target = await targetWithEntry();
    target.onRequest = (request) => (isAttack(request) ? (target.crash(500), 200) : 200);
    expect(await target.send(ATTACK)).toBe(200);
    expect(await target.send(get("/items?q=coffee"))).toBe(200);
    expect(target.lost.suspects).toMatchObject([{ request: ATTACK, isDelayed: true }]);
    expect([await target.send(get("/items?q=x'")), await target.send(get("/items?q=x"))]).toEqual([
      "crash",
      200,
    ]);
    expect(target.sentOf(ATTACK)).toBe(2);
  });

  it("a crash after the response is looked for three times at most where no request causes the outages", async () => {
    const target = await targetWithEntry();
    const counts = [];
    for (let outage = 0; outage < 5; outage++) {
      for (const name of ["a", "b", "c"]) await target.send(get(`/items?q=${name}`));
      const before = target.sent.length;
      target.crash(500);
      expect(await target.send(get("/items?q=coffee"))).toBe(200);
      counts.push(target.sent.length - before);
    }
    expect(counts[2]).toBeGreaterThan(counts[3]! + 4);
    expect(target.lost.suspects).toEqual([]);
  });
});

describe("a 502", () => {
  it("a 502 is a crash where a gateway responds to everything with it until its upstream is back", async () => {
    const target = await targetWithEntry();
    let backAt = 0;
    target.onRequest = (request) => {
      if (isAttack(request)) backAt = target.now + 100;
      return target.now < backAt ? 502 : 200;
    };
    expect(await target.send(ATTACK)).toBe("crash");
    expect(target.sentOf(ATTACK)).toBe(2);
  });

  it("a 502 of one route is a response, and is sent again once at most", async () => {
    const target = await targetWithEntry();
    target.onRequest = ({ url }) => (url.includes("/currency") ? 502 : 200);
    expect([await target.send(get("/currency?of=x")), await target.send(get("/currency?of=y"))]).toEqual([
      502, 502,
    ]);
    expect([target.sentOf(get("/currency?of=x")), target.sentOf(get("/currency?of=y"))]).toEqual([2, 1]);
  });
});
