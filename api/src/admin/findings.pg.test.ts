import { COMMAND_LINE } from "@glovebox/store";
import { newScanId } from "@glovebox/contract";
import { reporting, storedReport, type SampleFinding } from "@glovebox/store/testing";
import { beforeAll, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { newAccount, type TestAccount, useTestApi } from "../testing/harness.ts";

const api = useTestApi();
let shop: TestAccount;
let owner: SignedIn;
let member: SignedIn;
let stranger: SignedIn;
const scans: string[] = [];

const A: SampleFinding = { id: "a".repeat(16), places: ["GET /a"], severity: "critical", title: "First" };
const B: SampleFinding = { id: "b".repeat(16), places: ["GET /b"], severity: "low", title: "Second" };

async function scanOf({ account }: TestAccount, outcome: ReturnType<typeof reporting>): Promise<string> {
  const id = newScanId(new Date());
  const submission = { actor: COMMAND_LINE, id, account, url: "https://api.example/" };
  expect((await api.store.scans.submit(submission)).outcome).toBe("created");
  await api.store.work.record(id, outcome);
  return id;
}

async function scanned(found: SampleFinding[], passed: string[] = []): Promise<void> {
  scans.push(await scanOf(shop, reporting(found, passed)));
}

beforeAll(async () => {
  shop = await newAccount(api.store);
  owner = await signIn(api, shop.account);
  member = await signIn(api, shop.account, { role: "member" });
  stranger = await signIn(api, (await newAccount(api.store)).account);
  await scanned([A, B]);
  await scanned([B], ["GET /a"]);
  await scanned([A, B]);
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const accept = (days: number) =>
  ({ event: "accepted", reason: "Behind the VPN", expiresAt: inDays(days) }) as const;

test("findings are listed worst first, and each has its history", async () => {
  const { items, total } = await owner.client.findings.list.query({});
  expect(total).toBe(2);
  expect(items).toMatchObject([
    { title: "First", status: "reopened", lastScanId: scans[2], places: 1, mark: null },
    { title: "Second", status: "open" },
  ]);
  const { history } = await owner.client.findings.get.query({ id: items[0]!.id });
  expect(history.map(({ toStatus }) => toStatus)).toEqual(["open", "fixed", "reopened"]);
  expect(history[0]!.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test("two scans are compared in the order of their submission", async () => {
  const comparison = await owner.client.scans.compare.query({ ids: [scans[1]!, scans[0]!] });
  expect(comparison).toMatchObject({
    older: { id: scans[0] },
    newer: { id: scans[1] },
    counts: { fixed: 1, unchanged: 1 },
    differences: [{ is: "fixed", title: "First", location: "GET /a" }, { is: "unchanged" }],
  });
});

test("the proof of a finding is the finding alone, as the last report that saw it has it", async () => {
  const { items } = await owner.client.findings.list.query({ limit: 1, offset: 0 });
  const [{ id, findingId, lastScanId }] = items as [(typeof items)[number]];
  const found = storedReport((await api.store.scans.get(shop.account.id, lastScanId))!).findings;
  expect(found.length).toBeGreaterThan(0);
  expect(await owner.client.findings.proof.query({ id })).toEqual(
    found.find((finding) => finding.id === findingId),
  );
  await expect(owner.client.findings.proof.query({ id: 999_999_999 })).rejects.toThrow("id: not found");
  await expect(stranger.client.findings.proof.query({ id })).rejects.toThrow("id: not found");
});

test("the proof of a finding is null once the report that saw it last is deleted", async () => {
  const account = await newAccount(api.store);
  const { client } = await signIn(api, account.account);
  await scanOf(account, reporting([A]));
  const scan = await scanOf(account, reporting([A]));
  const { id } = (await client.findings.list.query({})).items[0]!;
  expect(await client.findings.proof.query({ id })).toMatchObject({ id: A.id });
  await api.store.scans.remove(account.account.id, scan);
  expect(await client.findings.proof.query({ id })).toBeNull();
});

test("what is accepted after a preview counts no more, until it is reinstated, and the audit log tells both", async () => {
  const filter = { severity: ["critical" as const] };
  const preview = await member.client.findings.preview.query({ filter, event: "accepted" });
  expect(preview).toMatchObject({ matching: 1, changing: 1, sample: [{ title: "First" }] });
  const [scan] = scans;
  const before = await owner.client.scans.triage.query({ id: scan! });
  expect(before.marks).toEqual({});
  expect(await member.client.findings.decide.mutate({ filter, decision: accept(30), matching: 1 })).toEqual({
    changed: 1,
  });
  const after = await owner.client.scans.triage.query({ id: scan! });
  expect(after.marks).toMatchObject({ [A.id]: { status: "accepted", reason: "Behind the VPN" } });

  const decision = { event: "reinstated", reason: "The VPN is gone" } as const;
  await owner.client.findings.decide.mutate({ filter, decision, matching: 1 });
  const entries = await api.store.audit.list(shop.account.id, { action: "finding.", limit: 9 });
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
    ["finding.reinstated", A.id],
    ["finding.accepted", A.id],
  ]);
  expect(entries[1]).toMatchObject({
    before: { status: { reopened: 1 } },
    after: { changed: 1, reason: "Behind the VPN" },
  });
});

test.each([
  [
    "beyond what a member may accept",
    () => ({ who: member, decision: accept(91), matching: 2 }),
    "expiresAt: must be within 90 days",
  ],
  [
    "in the past",
    () => ({ who: owner, decision: accept(-1), matching: 2 }),
    "expiresAt: must be in the future",
  ],
  [
    "about more than was previewed",
    () => ({ who: owner, decision: accept(1), matching: 1 }),
    "matching: is 2 now",
  ],
])("a decision %s is refused and changes nothing", async (_, given, message) => {
  const { who, decision, matching } = given();
  await expect(who.client.findings.decide.mutate({ filter: {}, decision, matching })).rejects.toThrow(
    message,
  );
  const { items } = await owner.client.findings.list.query({ status: ["accepted"] });
  expect(items).toEqual([]);
});

test("an owner accepts for longer than a member", async () => {
  const [finding] = (await owner.client.findings.list.query({ text: "second" })).items;
  const filter = { ids: [finding!.id] };
  expect(await owner.client.findings.decide.mutate({ filter, decision: accept(200), matching: 1 })).toEqual({
    changed: 1,
  });
  const decision = { event: "reinstated", reason: "Done" } as const;
  await owner.client.findings.decide.mutate({ filter, decision, matching: 1 });
});

test("scans, targets and the overview of the account lead to each other", async () => {
  const [target] = (await owner.client.targets.list.query({})).items;
  expect(target).toMatchObject({
    url: "https://api.example/",
    lastScanId: scans[2],
    lastStatus: "completed",
  });
  const found = await owner.client.scans.search.query({ target: target!.id, limit: 1 });
  expect(found).toMatchObject({ total: 3, hasMore: false, items: [{ id: scans[2], targetId: target!.id }] });
  expect(await owner.client.targets.get.query({ id: target!.id })).toMatchObject({
    trend: [{ scanId: scans[2], open: { critical: 1, low: 1 } }],
  });
  expect(await owner.client.overview.get.query({})).toMatchObject({
    newCriticals: 1,
    open: { critical: 1, low: 1 },
  });
});

test("another account sees and changes nothing of it", async () => {
  const { client } = stranger;
  const [finding] = (await owner.client.findings.list.query({})).items;
  const [target] = (await owner.client.targets.list.query({})).items;
  expect((await client.findings.list.query({ target: target!.id })).total).toBe(0);
  expect((await client.scans.search.query({ target: target!.id })).total).toBe(0);
  await expect(client.findings.get.query({ id: finding!.id })).rejects.toThrow("id: not found");
  await expect(client.targets.get.query({ id: target!.id })).rejects.toThrow("id: not found");
  await expect(client.scans.triage.query({ id: scans[0]! })).rejects.toThrow("id: not found");
  await expect(client.scans.compare.query({ ids: [scans[0]!, scans[1]!] })).rejects.toThrow("id: not found");
  const filter = { ids: [finding!.id] };
  await expect(client.findings.decide.mutate({ filter, decision: accept(1), matching: 1 })).rejects.toThrow(
    "matching: is 0 now",
  );
  expect((await client.overview.get.query({})).newCriticals).toBe(0);
});
