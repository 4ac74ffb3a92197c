import { expect, test } from "vitest";
import { AccountTurns } from "./account-turns.ts";

/** Tasks of accounts that run until they are ended. */
function tasks(limits = { atOnce: 2, maxWaiting: 3 }) {
  const turns = new AccountTurns(limits);
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const run = (account: string, name: string) =>
    turns.run(account, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push({ name, end: resolve });
      await promise;
      return name;
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { running, run, settled };
}

test("two tasks of an account run at once, the rest waits for its turn, and another account for nobody", async () => {
  const { running, run, settled } = tasks();
  const all = ["a1", "a2", "a3", "a4"].map((name) => run("a", name));
  const other = run("b", "b1");
  await settled();
  expect(running.map(({ name }) => name)).toEqual(["a1", "a2", "b1"]);
  running[0]!.end();
  await settled();
  expect(running.map(({ name }) => name)).toEqual(["a1", "a2", "b1", "a3"]);
  for (let at = 1; at < 5; at++) {
    running[at]!.end();
    await settled();
  }
  expect(await Promise.all([...all, other])).toEqual(["a1", "a2", "a3", "a4", "b1"]);
});

test("a task that fails makes room for the next one", async () => {
  const turns = new AccountTurns({ atOnce: 1, maxWaiting: 1 });
  const failing = turns.run("a", () => Promise.reject(new Error("failed")));
  const next = turns.run("a", async () => "next");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("next");
});

test("more than may wait are refused, with the time to try again", async () => {
  const { run, running, settled } = tasks({ atOnce: 1, maxWaiting: 1 });
  const accepted = [run("a", "a1"), run("a", "a2")];
  await settled();
  await expect(run("a", "a3")).rejects.toMatchObject({
    code: "rate_limit_exceeded",
    headers: { "Retry-After": "1" },
  });
  running[0]!.end();
  await settled();
  running[1]!.end();
  expect(await Promise.all(accepted)).toEqual(["a1", "a2"]);
});
