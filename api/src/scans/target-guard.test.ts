import { createEgressPolicy, parseEgressAllow, type Lookup } from "@glovebox/egress";
import { afterEach, expect, test, vi } from "vitest";
import { DnsLookups, createTargetGuard } from "./target-guard.ts";

const guardOver = (lookup: Lookup, now = () => new Date(0)) =>
  createTargetGuard({ policy: createEgressPolicy(), allow: [], lookups: { of: () => lookup }, now });
const guard = guardOver(() => Promise.reject(new Error("not to be looked up")));
const ACCOUNT = "account";
const example = { url: "https://example.com/" };

test.each([
  "https://127.0.0.1/",
  "https://localhost/",
  "https://0x7f.1/",
  "https://[fe80::1]/",
  "https://db.internal/",
])("%s is refused without a look-up, also as the address of a document", (url) => {
  expect(() => guard.judge({ ...example, url }, ACCOUNT)).toThrow(/^url: /);
  expect(() => guard.judge({ ...example, specUrl: url }, ACCOUNT)).toThrow(/^specUrl: /);
});

test("a public address needs no look-up, and a name does", () => {
  const url = "https://93.184.215.14/";
  expect(guard.judge({ url }, ACCOUNT)).toBe("allowed");
  expect(guard.judge({ url, specUrl: example.url }, ACCOUNT)).toBe("lookUp");
  expect(guard.judge(example, ACCOUNT)).toBe("lookUp");
});

test("a name is refused when one of its addresses is, and the message names no address", async () => {
  const found: Record<string, string[]> = { "example.org": ["93.184.215.14", "10.1.2.3"] };
  const lookup: Lookup = async (host) => found[host] ?? ["93.184.215.14"];
  const refusal = guardOver(lookup).lookUp({ ...example, specUrl: "https://example.org/" }, ACCOUNT);
  await expect(refusal).rejects.toMatchObject({ code: "invalid_url" });
  await expect(refusal).rejects.toThrow(/^specUrl: (?!.*10\.1\.2\.3).*example\.org/);
});

test.each([
  ["http://10.1.2.3/", true],
  ["http://10.1.2.3:8080/v1", true],
  ["http://93.184.215.14/", false],
])("plain HTTP to %s is accepted: %s", (url, isAccepted) => {
  const allow = parseEgressAllow("10.0.0.0/8");
  const lookups = { of: () => async () => [] };
  const allowing = createTargetGuard({
    ...{ policy: createEgressPolicy({ allow }), allow, lookups, now: () => new Date(0) },
  });
  const judge = () => allowing.judge({ url }, ACCOUNT);
  if (isAccepted) expect(judge()).toBe("allowed");
  else expect(judge).toThrow(/^url: plain HTTP could be read and changed on its way/);
});

test.each([
  ["10.1.2.3", true],
  ["93.184.215.14", false],
])("plain HTTP to a name at %s is accepted: %s", async (address, isAccepted) => {
  const allow = parseEgressAllow("10.0.0.0/8");
  const lookups = { of: () => async () => [address] };
  const allowing = createTargetGuard({
    ...{ policy: createEgressPolicy({ allow }), allow, lookups, now: () => new Date(0) },
  });
  const request = { url: "http://shop.example/" };
  expect(allowing.judge(request, ACCOUNT)).toBe("lookUp");
  const looking = allowing.lookUp(request, ACCOUNT);
  if (isAccepted) await looking;
  else await expect(looking).rejects.toMatchObject({ code: "invalid_url", field: "url" });
});

test("a name that does not resolve is let through: its scan will say so", async () => {
  await expect(guardOver(async () => []).lookUp(example, ACCOUNT)).resolves.toBeUndefined();
});

test("a look-up that is refused lets nothing through", async () => {
  const refused: Lookup = () => Promise.reject(new Error("too many"));
  await expect(guardOver(refused).lookUp(example, ACCOUNT)).rejects.toThrow("too many");
});

test("an allowed host needs no look-up of the same account for ten seconds, and one that did not resolve does", async () => {
  let time = 0;
  const found: Record<string, string[]> = { "example.com": ["93.184.215.14"] };
  const cached = guardOver(
    async (host) => found[host] ?? [],
    () => new Date(time),
  );
  const unresolved = { url: "https://missing.example/" };
  await cached.lookUp(example, ACCOUNT);
  await cached.lookUp(unresolved, ACCOUNT);
  expect(cached.judge(example, ACCOUNT)).toBe("allowed");
  expect(cached.judge(unresolved, ACCOUNT)).toBe("lookUp");
  expect(cached.judge({ ...example, specUrl: unresolved.url }, ACCOUNT)).toBe("lookUp");
  expect(cached.judge({ url: "https://example.com:8443/" }, ACCOUNT)).toBe("lookUp");
  expect(cached.judge(example, "another")).toBe("lookUp");
  time = 10_000;
  expect(cached.judge(example, ACCOUNT)).toBe("lookUp");
});

test("an address beside a name is not looked up", async () => {
  const asked: string[] = [];
  const lookup: Lookup = async (host) => [asked.push(host) ? "93.184.215.14" : ""];
  await guardOver(lookup).lookUp({ ...example, specUrl: "https://93.184.215.14/" }, ACCOUNT);
  expect(asked).toEqual(["example.com"]);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Resolves quick names immediately and others never. */
function nameServer() {
  const asked: string[] = [];
  const calledOff: string[] = [];
  const lookup: Lookup = (host, signal) => {
    asked.push(host);
    signal?.addEventListener("abort", () => calledOff.push(host));
    return host.startsWith("slow") ? new Promise(() => undefined) : Promise.resolve(["93.184.215.14"]);
  };
  return { asked, calledOff, lookup };
}

const ATTACKER = "attacker";
const NEIGHBOUR = "neighbour";

test("beyond the names of one account its lookups are refused, and the lookups of others are not", async () => {
  const { lookup } = nameServer();
  const lookups = new DnsLookups(lookup, { perAccount: 3, total: 100 });
  for (const name of ["slow-1", "slow-2", "slow-3"]) void lookups.of(ATTACKER)(name);
  await expect(lookups.of(ATTACKER)("slow-4")).rejects.toMatchObject({
    code: "rate_limit_exceeded",
    headers: { "Retry-After": "2" },
  });
  await expect(lookups.of(ATTACKER)("quick")).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect(await lookups.of(NEIGHBOUR)("quick")).toEqual(["93.184.215.14"]);
});

test("beyond the names in all, look-ups are refused as unavailable", async () => {
  const { lookup } = nameServer();
  const lookups = new DnsLookups(lookup, { perAccount: 3, total: 4 });
  for (const account of ["a", "b"]) for (const name of ["slow-1", "slow-2"]) void lookups.of(account)(name);
  await expect(lookups.of("c")("quick")).rejects.toMatchObject({ code: "unavailable" });
});

test("one name is looked up once for all requests of an account, and once for each account", async () => {
  const { asked, lookup } = nameServer();
  const lookups = new DnsLookups(lookup, { perAccount: 1, total: 2 });
  const [first, second] = [lookups.of(ATTACKER)("quick"), lookups.of(ATTACKER)("quick")];
  expect(await lookups.of(NEIGHBOUR)("quick")).toEqual(["93.184.215.14"]);
  expect(await first).toBe(await second);
  expect(asked).toEqual(["quick", "quick"]);
});

test("a name that takes more than two seconds is called off, has no address, and makes room for another", async () => {
  vi.useFakeTimers();
  const { calledOff, lookup } = nameServer();
  const lookups = new DnsLookups(lookup, { perAccount: 1, total: 1 });
  const slow = lookups.of(ATTACKER)("slow");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await slow).toEqual([]);
  expect(calledOff).toEqual(["slow"]);
  expect(await lookups.of(ATTACKER)("quick")).toEqual(["93.184.215.14"]);
});

test("a name that cannot be resolved has no address, and makes room", async () => {
  const lookups = new DnsLookups(() => Promise.reject(new Error("ENOTFOUND")), { perAccount: 1, total: 1 });
  expect(await lookups.of(ATTACKER)("a")).toEqual([]);
  expect(await lookups.of(ATTACKER)("b")).toEqual([]);
});
