import { hashSecret } from "@glovebox/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { FormBrowser } from "../testing/form-browser.ts";
import { startTestApi, type TestApi } from "../testing/harness.ts";
import { PASSWORD, newUser } from "../testing/users.ts";

let database: TestDatabase;
let service: TestApi;
let origin: string;

beforeAll(async () => {
  database = await testDatabase();
  service = await startTestApi({ databaseUrl: database.url, settings: { trustProxy: 1 } });
  origin = `http://localhost:${service.port}`;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const NETWORKS = 512;
const USERS = 6;
/** Attempts under way: more than may wait for their password to be verified. */
const AT_ONCE = 150;

/** Somebody at an address, behind the proxy of the service. */
const at = (address: string): FormBrowser => new FormBrowser(origin, { "X-Forwarded-For": address });

/** Attempts to sign in as these users from separate networks (/48), in turn, until it is stopped. */
function attack(emails: readonly string[]) {
  const statuses: number[] = [];
  let isOver = false;
  let sent = 0;
  const attacker = async (): Promise<void> => {
    while (!isOver) {
      const from = at(`2001:db8:${(sent % NETWORKS).toString(16)}::${(sent + 1).toString(16)}`);
      const email = emails[sent++ % emails.length]!;
      statuses.push((await from.post("/sign-in", { email, password: "a wrong guess" })).status);
    }
  };
  const attackers = Array.from({ length: AT_ONCE }, attacker);
  return {
    statuses,
    stop: async () => {
      isOver = true;
      await Promise.all(attackers);
    },
  };
}

test("while 512 networks attack, users sign in with the browsers that they have signed in with before", async () => {
  const users = await Promise.all(Array.from({ length: USERS }, () => newUser(service.store)));
  const browsers = await Promise.all(
    users.map(async ({ email }, n) => {
      const from = at(`198.51.100.${n}`);
      expect((await from.post("/sign-in", { email, password: PASSWORD })).status).toBe(303);
      await from.post("/sign-out");
      return from;
    }),
  );

  const { statuses, stop } = attack(users.map(({ email }) => email));
  // From here on the attack keeps strangers out: more wait than are let wait.
  await expect
    .poll(() => statuses.filter((status) => status === 503).length, { timeout: 60_000 })
    .toBeGreaterThan(0);
  const outcomes: number[] = [];
  const seconds: number[] = [];
  for (const round of [1, 2])
    for (const [n, from] of browsers.entries()) {
      const begun = performance.now();
      const { email } = users[n]!;
      outcomes.push((await from.post("/sign-in", { email, password: PASSWORD })).status);
      seconds.push((performance.now() - begun) / 1000);
      if (round === 1) await from.post("/sign-out");
    }
  await stop();
  expect(outcomes).toEqual(Array.from({ length: 2 * USERS }, () => 303));
  expect(statuses.filter((status) => status === 303)).toEqual([]);
  const slowest = Math.max(...seconds).toFixed(1);
  process.stdout.write(
    `${statuses.length} attempts of the attack; the slowest of ${outcomes.length} sign-ins took ${slowest} s\n`,
  );
}, 180_000);

test("a known browser is one of its user alone, and of nobody by a made-up cookie", async () => {
  const [ada, eve] = [await newUser(service.store), await newUser(service.store)];
  const from = at("198.51.100.200");
  await from.post("/sign-in", { email: eve.email, password: PASSWORD });
  const cookie = from.cookies.get("__Host-glovebox-browser")!;
  const isKnown = (userId: string) => service.store.knownBrowsers.has(hashSecret(cookie), userId);
  expect([await isKnown(eve.userId), await isKnown(ada.userId)]).toEqual([true, false]);
  await from.post("/sign-in", { email: ada.email, password: "a wrong guess" });
  expect(await isKnown(ada.userId)).toBe(false);
});
