import { afterEach, describe, expect, test } from "vitest";
import { candidatesOf, parseDnsServers, parseHosts, parseSearchList, systemLookup } from "./system-lookup.ts";
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

  test("goes by one family when there is no response for the other in time", async () => {
    const server = await nameServer({ "half.example.com": { a: "192.0.2.2", aaaa: "silent" } });
    const asks = systemLookup({ timeoutMs: 200, servers: [server.address] });
    expect(await asks("half.example.com")).toEqual(["192.0.2.2"]);
  });

  test("rejects when there is no response in time, and when it is called off", async () => {
    const server = await nameServer({});
    const asks = systemLookup({ timeoutMs: 50, servers: [server.address] });
    await expect(asks("slow.example.com")).rejects.toThrow(/timeout/);
    const patient = systemLookup({ timeoutMs: 60_000, servers: [server.address] });
    const called = new AbortController();
    const response = patient("slow.example.com", called.signal);
    await expect.poll(() => server.asked.length).toBeGreaterThan(2);
    called.abort(new Error("called off"));
    await expect(response).rejects.toThrow("called off");
  });

  test("a hundred names without a response hold no other up", async () => {
    const server = await nameServer({ "quick.example.com": { a: "192.0.2.3" } });
    const asks = systemLookup({ timeoutMs: 60_000, servers: [server.address] });
    const called = new AbortController();
    const slow = Array.from({ length: 100 }, (_, name) => asks(`slow-${name}.example.com`, called.signal));
    const slowResponses = Promise.allSettled(slow);
    const isSlow = slowResponses.then(() => "slow");
    expect(await Promise.race([asks("quick.example.com"), isSlow])).toEqual(["192.0.2.3"]);
    called.abort();
    expect(new Set((await slowResponses).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });
});

test.each([
  ["api.example.com", ["api.example.com"]],
  ["payments", ["payments.team.svc.cluster.local", "payments.cluster.local", "payments"]],
  [
    "payments.team.svc",
    ["payments.team.svc", "payments.team.svc.team.svc.cluster.local", "payments.team.svc.cluster.local"],
  ],
])("a look-up of %s asks for %j", (host, expected) => {
  expect(candidatesOf(host, ["team.svc.cluster.local", "cluster.local"])).toEqual(expected);
});

test.each<[string, string, [string, string[]][]]>([
  [
    "a line names an address and its names",
    "127.0.0.1\tlocalhost loop\n",
    [
      ["localhost", ["127.0.0.1"]],
      ["loop", ["127.0.0.1"]],
    ],
  ],
  [
    "a name may have several addresses, each once",
    "127.0.0.1 a\n::1 a\n127.0.0.1 a",
    [["a", ["127.0.0.1", "::1"]]],
  ],
  [
    "comments, blank lines and case do not count",
    "# 1.2.3.4 b\n\n 10.0.0.1  A # c\r\n",
    [["a", ["10.0.0.1"]]],
  ],
  ["what is not an address names nothing", "nonsense a\n1.2.3 b\n", []],
])("in a hosts file %s", (_, text, expected) => {
  expect([...parseHosts(text)]).toEqual(expected);
});

test.each<[string, string, string[]]>([
  [
    "is what `search` names",
    "nameserver 10.0.0.10\nsearch a.svc.cluster.local svc.cluster.local. example.com\noptions ndots:5\n",
    ["a.svc.cluster.local", "svc.cluster.local", "example.com"],
  ],
  ["is the last that is given", "domain one.example\nsearch two.example", ["two.example"]],
  ["is empty where none is given", "nameserver 10.0.0.10\n# search three.example\n", []],
  ["is empty where the root alone is named", "search .\n", []],
])("the search list %s", (_, text, expected) => {
  expect(parseSearchList(text)).toEqual(expected);
});

test.each([
  ["", []],
  ["10.0.0.53", ["10.0.0.53"]],
  ["10.0.0.53:5353, 2001:db8::53,[2001:db8::53]:53", ["10.0.0.53:5353", "2001:db8::53", "[2001:db8::53]:53"]],
])("%j names the servers %j", (text, servers) => {
  expect(parseDnsServers(text)).toEqual(servers);
});

test.each([
  "dns.example.com",
  "10.0.0.53:0",
  "10.0.0.53:70000",
  "10.0.0",
  "[10.0.0.53]:53",
  "[2001:db8::53",
  "2001:db8::53:x",
])("%j is refused with the entry", (entry) => {
  expect(() => parseDnsServers(`10.0.0.1,${entry}`)).toThrow(
    `"${entry}" is not the address of a name server`,
  );
});
