import { storedReport } from "@glovebox/store/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SPEC_URL, startFixture, type Fixture } from "./support/fixture.ts";

// Scans in active mode that are applied with kubectl: one of an account that may not, and one of an account that may.

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ server: "notes-server.mjs" });
  await fixture.startController();
});
afterAll(() => fixture?.close());

const active = { url: new URL("/v1", SPEC_URL).href, specUrl: SPEC_URL, mode: "active" } as const;
const requests = async (): Promise<string[]> =>
  (await fixture.target.requests()).filter((line) => / \/v1/.test(line));

test("a Scan of an account that may not write is refused with its reason, and sends nothing", async () => {
  await fixture.applyScan("refused", active);
  expect(await fixture.finished("refused")).toMatchObject({
    phase: "Failed",
    reason: "ActiveModeNotAllowed",
    message:
      'The account "default" may not scan in active mode: an administrator of the service has to allow it.',
  });
  expect(await requests()).toEqual([]);
  expect((await fixture.store.usage.ofMonth(fixture.account.id)).started).toBe(0);
});

test("a Scan of an account that may write deletes its notes and users, and has a journal of them", async () => {
  await fixture.store.accounts.declare({ name: "default", plan: "enterprise", activeMode: true });
  await fixture.applyScan("active", active);
  const { phase, scanId } = await fixture.finished("active");
  expect(phase).toBe("Completed");
  const { mode, journal } = storedReport((await fixture.store.scans.get(fixture.account.id, scanId!))!);
  expect(mode).toBe("active");
  const written = new Set(journal!.map(({ operation: { method, path } }) => `${method} ${path}`));
  expect([...written]).toEqual(expect.arrayContaining(["POST /v1/register", "POST /v1/notes"]));
  expect(journal!.filter(({ cleaned }) => !cleaned)).toEqual([]);
  const states = (await fixture.target.requests()).filter((line) => line.startsWith("exist:"));
  expect(states.at(-1)).toBe("exist: STATE 0 users, 0 notes");
});
