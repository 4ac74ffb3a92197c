import { beforeAll, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { newAccount, type TestAccount, useTestApi } from "../testing/harness.ts";

const NOON = new Date("2026-11-21T12:00:00Z");
const api = useTestApi({ now: () => NOON });
let shop: TestAccount;
let owner: SignedIn["client"];
beforeAll(async () => {
  shop = await newAccount(api.store);
  owner = (await signIn(api, shop.account)).client;
});

const NIGHTLY = { name: "Nightly", url: "https://api.example/", schedule: "30 2 * * *" };

test("a schedule is created, suspended and deleted, and the audit log has each change with before and after", async () => {
  const { id } = await owner.schedules.create.mutate(NIGHTLY);
  expect(await owner.schedules.list.query({})).toMatchObject([{ id, nextRunAt: "2026-11-22T02:30:00.000Z" }]);
  expect(await owner.schedules.update.mutate({ id, suspend: true })).toMatchObject({ nextRunAt: null });
  expect(await owner.schedules.runs.query({ id })).toEqual([]);
  await owner.schedules.remove.mutate({ id });
  expect(await owner.schedules.list.query({})).toEqual([]);

  const entries = await api.store.audit.list(shop.account.id, { action: "schedule.", limit: 10 });
  expect(entries).toMatchObject([
    { action: "schedule.delete", subject: "Nightly", before: { id, suspend: true }, after: null },
    { action: "schedule.update", before: { suspend: false }, after: { id, suspend: true } },
    { action: "schedule.create", before: null, after: { id, ...NIGHTLY } },
  ]);
});

test("a change that is refused leaves no entry in the audit log, and names its field", async () => {
  const { id } = await owner.schedules.create.mutate(NIGHTLY);
  const logged = () => api.store.audit.list(shop.account.id, { action: "schedule.update", limit: 100 });
  const before = await logged();
  await expect(owner.schedules.update.mutate({ id, schedule: "* * * * *" })).rejects.toMatchObject({
    message: "schedule: runs more often than every 15 minutes",
    data: { code: "invalid_request" },
  });
  expect(await logged()).toEqual(before);
});

test("a preview has the next runs, or what is wrong with the times", async () => {
  const preview = (schedule: string, timeZone = "Europe/Berlin") =>
    owner.schedules.preview.query({ schedule, timeZone });
  expect(await preview("30 2 * * 1")).toEqual({
    problem: null,
    runs: ["2026-11-23T01:30:00.000Z", "2026-11-30T01:30:00.000Z", "2026-12-07T01:30:00.000Z"],
  });
  expect(await preview("* * * * *")).toEqual({
    problem: { field: "schedule", message: "runs more often than every 15 minutes" },
    runs: [],
  });
  expect((await preview("30 2 * * 1", "Mars/Olympus")).problem).toMatchObject({ field: "timeZone" });
});

test("a viewer reads schedules and changes none, and a plan without them is refused", async () => {
  const viewer = (await signIn(api, shop.account, { role: "viewer" })).client;
  expect(await viewer.schedules.list.query({})).not.toEqual([]);
  await expect(viewer.schedules.create.mutate(NIGHTLY)).rejects.toMatchObject({ data: { httpStatus: 403 } });
  const small = await newAccount(api.store, { plan: "starter" });
  const its = (await signIn(api, small.account)).client;
  await expect(its.schedules.list.query({})).rejects.toMatchObject({
    message: "The plan does not include schedules.",
  });
});
