import { afterEach, describe, expect, test } from "vitest";
import { candidatesOf, systemLookup } from "./system-lookup.ts";
import { startNameServer, type NameServer } from "./testing.ts";

const open: NameServer[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

async function nameServer(zone: Parameters<typeof startNameServer>[0]): Promise<NameServer> {
  const server = await startNameServer(zone);
  open.push(server);
  return server;
}

describe("systemLookup", () => {
  const lookup = systemLookup({ timeoutMs: 10_000 });

  test("finds the addresses of a name in the hosts file", async () => {
    const addresses = await lookup("localhost");
    expect(addresses.some((address) => ["127.0.0.1", "::1"].includes(address))).toBe(true);
  });

  test("asks no name server for what is the machine's own", async () => {
    expect(await lookup("printer.localhost")).toEqual(["127.0.0.1", "::1"]);
  });

  test("returns an address as it is, in either family", async () => {
    expect(await lookup("192.0.2.7")).toEqual(["192.0.2.7"]);
    expect(await lookup("2001:db8::7")).toEqual(["2001:db8::7"]);
  });

  test("rejects for what cannot be a name", async () => {
    await expect(lookup("a".repeat(64))).rejects.toThrow();
  });

  test("asks the name servers that it is given, for both families", async () => {
    const server = await nameServer({ "api.example.com": { a: "192.0.2.1" } });
    const asks = systemLookup({ timeoutMs: 10_000, servers: [server.address] });
    expect(await asks("api.example.com")).toEqual(["192.0.2.1"]);
    expect(server.asked.toSorted()).toEqual(["A api.example.com", "AAAA api.example.com"]);
  });

  test("rejects for a name without an address", async () => {
    const server = await nameServer({ "none.example.com": {} });
    const asks = systemLookup({ timeoutMs: 10_000, servers: [server.address] });
    await expect(asks("none.example.com")).rejects.toThrow("The name has no address");
  });

  test("goes by one family when there is no answer for the other in time", async () => {
    const server = await nameServer({ "half.example.com": { a: "192.0.2.2", aaaa: "silent" } });
    const asks = systemLookup({ timeoutMs: 200, servers: [server.address] });
    expect(await asks("half.example.com")).toEqual(["192.0.2.2"]);
  });

  test("rejects when there is no answer in time, and when it is called off", async () => {
    const server = await nameServer({});
    const asks = systemLookup({ timeoutMs: 50, servers: [server.address] });
    await expect(asks("slow.example.com")).rejects.toThrow(/timeout/);
    const patient = systemLookup({ timeoutMs: 60_000, servers: [server.address] });
    const called = new AbortController();
    const answer = patient("slow.example.com", called.signal);
    await expect.poll(() => server.asked.length).toBeGreaterThan(2);
    called.abort(new Error("called off"));
    await expect(answer).rejects.toThrow("called off");
  });

  test("a hundred names that get no answer hold no other up", async () => {
    const server = await nameServer({ "quick.example.com": { a: "192.0.2.3" } });
    const asks = systemLookup({ timeoutMs: 60_000, servers: [server.address] });
    const called = new AbortController();
    const slow = Array.from({ length: 100 }, (_, name) => asks(`slow-${name}.example.com`, called.signal));
    const slowAnswers = Promise.allSettled(slow);
    const isSlow = slowAnswers.then(() => "slow");
    expect(await Promise.race([asks("quick.example.com"), isSlow])).toEqual(["192.0.2.3"]);
    called.abort();
    expect(new Set((await slowAnswers).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });
});

test.each([
  ["api.example.com", ["api.example.com"]],
  ["payments", ["payments.team.svc.cluster.local", "payments.cluster.local", "payments"]],
  [
    "payments.team.svc",
    ["payments.team.svc", "payments.team.svc.team.svc.cluster.local", "payments.team.svc.cluster.local"],
  ],
])("of %s is asked for %j", (host, expected) => {
  expect(candidatesOf(host, ["team.svc.cluster.local", "cluster.local"])).toEqual(expected);
});
