import type { Lookup } from "@glovebox/egress";
import { afterEach, expect, test, vi } from "vitest";
import { LookUps } from "./look-ups.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Answers quick names at once and others never. */
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

test("beyond the names of one account its look-ups are refused, and those of others are not", async () => {
  const { lookup } = nameServer();
  const lookUps = new LookUps(lookup, { perAccount: 3, total: 100 });
  for (const name of ["slow-1", "slow-2", "slow-3"]) void lookUps.of(ATTACKER)(name);
  await expect(lookUps.of(ATTACKER)("slow-4")).rejects.toMatchObject({
    code: "rate_limit_exceeded",
    headers: { "Retry-After": "2" },
  });
  await expect(lookUps.of(ATTACKER)("quick")).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect(await lookUps.of(NEIGHBOUR)("quick")).toEqual(["93.184.215.14"]);
});

test("beyond the names in all, look-ups are refused as unavailable", async () => {
  const { lookup } = nameServer();
  const lookUps = new LookUps(lookup, { perAccount: 3, total: 4 });
  for (const account of ["a", "b"]) for (const name of ["slow-1", "slow-2"]) void lookUps.of(account)(name);
  await expect(lookUps.of("c")("quick")).rejects.toMatchObject({ code: "unavailable" });
});

test("one name is looked up once for all requests of an account, and once for each account", async () => {
  const { asked, lookup } = nameServer();
  const lookUps = new LookUps(lookup, { perAccount: 1, total: 2 });
  const [first, second] = [lookUps.of(ATTACKER)("quick"), lookUps.of(ATTACKER)("quick")];
  expect(await lookUps.of(NEIGHBOUR)("quick")).toEqual(["93.184.215.14"]);
  expect(await first).toBe(await second);
  expect(asked).toEqual(["quick", "quick"]);
});

test("a name that takes more than two seconds is called off, has no address, and makes room for another", async () => {
  vi.useFakeTimers();
  const { calledOff, lookup } = nameServer();
  const lookUps = new LookUps(lookup, { perAccount: 1, total: 1 });
  const slow = lookUps.of(ATTACKER)("slow");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await slow).toEqual([]);
  expect(calledOff).toEqual(["slow"]);
  expect(await lookUps.of(ATTACKER)("quick")).toEqual(["93.184.215.14"]);
});

test("a name that cannot be resolved has no address, and makes room", async () => {
  const lookUps = new LookUps(() => Promise.reject(new Error("ENOTFOUND")), { perAccount: 1, total: 1 });
  expect(await lookUps.of(ATTACKER)("a")).toEqual([]);
  expect(await lookUps.of(ATTACKER)("b")).toEqual([]);
});
