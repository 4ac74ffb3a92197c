import { StoreUnavailable } from "@glovebox/store";
import { expect, test } from "vitest";
import { whenAvailable } from "./prepare-database.ts";

/** A clock that is a second further at each look, and a task that fails this often. */
function options() {
  let seconds = 0;
  return { now: () => new Date(1000 * seconds++), seconds: 5, pauseMs: 0 };
}
function failing(times: number, error: Error) {
  let tries = 0;
  const task = () => (++tries <= times ? Promise.reject(error) : Promise.resolve());
  return { task, tries: () => tries };
}

test("a database that comes while it is waited for is used", async () => {
  const { task, tries } = failing(3, new StoreUnavailable());
  await whenAvailable(task, options());
  expect(tries()).toBe(4);
});

test("a database that stays away longer is unavailable", async () => {
  const { task } = failing(Number.POSITIVE_INFINITY, new StoreUnavailable());
  await expect(whenAvailable(task, options())).rejects.toBeInstanceOf(StoreUnavailable);
});

test("any other failure is passed on immediately", async () => {
  const { task, tries } = failing(1, new TypeError("no"));
  await expect(whenAvailable(task, options())).rejects.toThrow(new TypeError("no"));
  expect(tries()).toBe(1);
});
