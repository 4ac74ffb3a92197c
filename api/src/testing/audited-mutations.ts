import { randomUUID } from "node:crypto";
import { newScanId } from "@glovebox/contract";
import { COMMAND_LINE, type Store } from "@glovebox/store";
import { reporting } from "@glovebox/store/testing";
import { signIn, type SignedIn } from "./admin-client.ts";
import type { TestAccount, TestApi } from "./harness.ts";

/** An account with an owner who is an administrator of the service, and an API key. */
export interface AuditedWorld {
  readonly api: TestApi;
  readonly shop: TestAccount;
  readonly owner: SignedIn;
  /** Calls `/v1` with the key of the account; rejects unless it succeeds. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<void>;
}

/** How a mutation is called once, and the action of the entry that this leaves in the audit log. */
export type AuditedMutation = readonly [action: string, call: (world: AuditedWorld) => Promise<unknown>];

const TARGET = "https://api.example/";
const HOOK = { url: "https://hooks.example/", events: ["scan.failed" as const] };
const IDENTITY_SET = {
  name: "staging",
  identities: [{ name: "alice", role: "user" as const, headers: { Authorization: "Bearer s3cret" } }],
};
const NIGHTLY = { name: "Nightly", url: TARGET, schedule: "30 2 * * *" };
const TERMS = { plan: "pro", requestsPerMinute: null, scansPerMonth: null, activeMode: false } as const;
const INVITATION = { email: "grace@example.com", role: "viewer" } as const;

// What a mutation needs is written by the store, which has no entry of it.

async function scan({ api: { store }, shop: { account } }: AuditedWorld): Promise<string> {
  const id = newScanId(new Date());
  await store.scans.submit({ actor: COMMAND_LINE, id, account, url: TARGET });
  return id;
}

async function endedScan(world: AuditedWorld): Promise<string> {
  const id = await scan(world);
  const finding = { id: "a".repeat(16), places: ["GET /a"], severity: "low", title: "One" } as const;
  await world.api.store.work.record(id, reporting([finding], []));
  return id;
}

async function identitySet({ api: { store }, shop }: AuditedWorld): Promise<string> {
  const { name, identities } = IDENTITY_SET;
  const key = { name, origin: new URL(TARGET).origin };
  return (await store.identitySets.save(shop.account.id, key, { identities }))!.id;
}

async function webhook({ api: { store }, shop }: AuditedWorld): Promise<string> {
  return (await store.webhooks.create(shop.account.id, { ...HOOK, description: null }))!.id;
}

async function delivery({ api: { store }, shop }: AuditedWorld, id: string): Promise<string> {
  return (await store.webhooks.test(shop.account.id, id))!.id;
}

async function schedule({ api: { store }, shop }: AuditedWorld): Promise<string> {
  const id = randomUUID();
  const timing = { timeZone: "UTC", jitterSeconds: 0, startingDeadlineSeconds: 3600, suspend: true };
  const rest = {
    include: null,
    exclude: null,
    identitySet: null,
    specUrl: null,
    context: null,
    concurrencyPolicy: "Forbid",
    historyLimit: 10,
  } as const;
  const times = { decidedUntil: new Date(), nextRunAt: null };
  await store.schedules.create(shop.account.id, id, { ...NIGHTLY, ...timing, ...rest, ...times });
  return id;
}

const member = async ({ api, shop }: AuditedWorld): Promise<string> =>
  (await signIn(api, shop.account, { role: "member" })).userId;

const anotherSession = async ({ api: { store }, owner: { userId } }: AuditedWorld): Promise<string> => {
  const session = { userId, ip: null, agent: null, hasSecondFactor: false };
  const before = new Set((await store.sessions.list(userId)).map(({ id }) => id));
  await store.sessions.create({ ...session, sha256: randomUUID() });
  return (await store.sessions.list(userId)).find(({ id }) => !before.has(id))!.id;
};

async function invitation(store: Store, accountId: string | null): Promise<string> {
  const membership = accountId === null ? undefined : { accountId, role: "viewer" as const };
  const isAdministrator = accountId === null;
  const given = { sha256: randomUUID(), email: INVITATION.email, days: 1 };
  return (await store.invitations.create({ ...given, membership, isAdministrator })).id;
}

/** Of the admin interface, by its path. */
export const ADMIN_MUTATIONS: Readonly<Record<string, AuditedMutation>> = {
  "session.end": [
    "session.end",
    async (world) => world.owner.client.session.end.mutate({ sessionId: await anotherSession(world) }),
  ],
  "session.signOutEverywhere": [
    "session.signOutEverywhere",
    ({ owner }) => owner.client.session.signOutEverywhere.mutate({}),
  ],
  "account.rename": [
    "account.rename",
    ({ owner }) => owner.client.account.rename.mutate({ name: randomUUID() }),
  ],
  "account.setRole": [
    "member.setRole",
    async (world) =>
      world.owner.client.account.setRole.mutate({ userId: await member(world), role: "viewer" }),
  ],
  "account.removeMember": [
    "member.remove",
    async (world) => world.owner.client.account.removeMember.mutate({ userId: await member(world) }),
  ],
  "account.invite": ["member.invite", ({ owner }) => owner.client.account.invite.mutate(INVITATION)],
  "account.withdrawInvitation": [
    "member.withdrawInvitation",
    async ({ api, owner, shop }) =>
      owner.client.account.withdrawInvitation.mutate({ id: await invitation(api.store, shop.account.id) }),
  ],
  "keys.create": ["key.create", ({ owner }) => owner.client.keys.create.mutate({ name: "ci" })],
  "keys.rotate": ["key.rotate", ({ owner, shop }) => owner.client.keys.rotate.mutate({ keyId: shop.keyId })],
  "keys.revoke": ["key.revoke", ({ owner, shop }) => owner.client.keys.revoke.mutate({ keyId: shop.keyId })],
  "identitySets.save": [
    "identitySet.save",
    ({ owner }) => owner.client.identitySets.save.mutate({ ...IDENTITY_SET, url: TARGET }),
  ],
  "identitySets.delete": [
    "identitySet.delete",
    async (world) => world.owner.client.identitySets.delete.mutate({ id: await identitySet(world) }),
  ],
  "webhooks.create": ["webhook.create", ({ owner }) => owner.client.webhooks.create.mutate(HOOK)],
  "webhooks.update": [
    "webhook.update",
    async (world) => world.owner.client.webhooks.update.mutate({ id: await webhook(world), enabled: false }),
  ],
  "webhooks.rotateSecret": [
    "webhook.rotateSecret",
    async (world) => world.owner.client.webhooks.rotateSecret.mutate({ id: await webhook(world) }),
  ],
  "webhooks.remove": [
    "webhook.delete",
    async (world) => world.owner.client.webhooks.remove.mutate({ id: await webhook(world) }),
  ],
  "webhooks.sendAgain": [
    "webhook.sendAgain",
    async (world) => {
      const id = await webhook(world);
      return world.owner.client.webhooks.sendAgain.mutate({ id, delivery: await delivery(world, id) });
    },
  ],
  "webhooks.test": [
    "webhook.test",
    async (world) => world.owner.client.webhooks.test.mutate({ id: await webhook(world) }),
  ],
  "schedules.create": ["schedule.create", ({ owner }) => owner.client.schedules.create.mutate(NIGHTLY)],
  "schedules.update": [
    "schedule.update",
    async (world) => world.owner.client.schedules.update.mutate({ id: await schedule(world), name: "Daily" }),
  ],
  "schedules.remove": [
    "schedule.delete",
    async (world) => world.owner.client.schedules.remove.mutate({ id: await schedule(world) }),
  ],
  "scans.start": ["scan.start", ({ owner }) => owner.client.scans.start.mutate({ url: TARGET })],
  "scans.retry": [
    "scan.start",
    async (world) => world.owner.client.scans.retry.mutate({ id: await endedScan(world) }),
  ],
  "scans.cancel": [
    "scan.cancel",
    async (world) => world.owner.client.scans.cancel.mutate({ id: await scan(world) }),
  ],
  "scans.delete": [
    "scan.erase",
    async (world) => world.owner.client.scans.delete.mutate({ id: await endedScan(world) }),
  ],
  "findings.decide": [
    "finding.markedFalsePositive",
    async (world) => {
      await endedScan(world);
      const decision = { event: "markedFalsePositive", reason: "A test host" } as const;
      return world.owner.client.findings.decide.mutate({ filter: {}, decision, matching: 1 });
    },
  ],
  "accounts.create": [
    "account.create",
    ({ owner }) => owner.client.accounts.create.mutate({ ...TERMS, name: randomUUID() }),
  ],
  "accounts.update": [
    "account.update",
    ({ owner, shop: { account } }) =>
      owner.client.accounts.update.mutate({ ...TERMS, accountId: account.id, name: account.name }),
  ],
  "accounts.setSuspended": [
    "account.suspend",
    ({ owner, shop: { account } }) =>
      owner.client.accounts.setSuspended.mutate({ accountId: account.id, isSuspended: true }),
  ],
  "users.setAdministrator": [
    "user.setAdministrator",
    async (world) =>
      world.owner.client.users.setAdministrator.mutate({
        userId: await member(world),
        isAdministrator: true,
      }),
  ],
  "users.setDisabled": [
    "user.disable",
    async (world) =>
      world.owner.client.users.setDisabled.mutate({ userId: await member(world), isDisabled: true }),
  ],
  "users.inviteAdministrator": [
    "user.inviteAdministrator",
    ({ owner }) => owner.client.users.inviteAdministrator.mutate({ email: INVITATION.email }),
  ],
  "users.withdrawInvitation": [
    "user.withdrawInvitation",
    async ({ api, owner }) =>
      owner.client.users.withdrawInvitation.mutate({ id: await invitation(api.store, null) }),
  ],
  "users.signOutEverywhere": [
    "session.signOutEverywhere",
    async (world) => world.owner.client.users.signOutEverywhere.mutate({ userId: await member(world) }),
  ],
  "users.resetPassword": [
    "user.resetPassword",
    async (world) => world.owner.client.users.resetPassword.mutate({ userId: await member(world) }),
  ],
};

/** Of routes with an API key, by method and path. */
export const ROUTE_MUTATIONS: Readonly<Record<string, AuditedMutation>> = {
  "post /v1/scan": ["scan.start", ({ send }) => send("POST", "/v1/scan", { url: TARGET })],
  "delete /v1/scan/{id}": [
    "scan.cancel",
    async (world) => world.send("DELETE", `/v1/scan/${await scan(world)}`),
  ],
  "post /v1/webhooks": ["webhook.create", ({ send }) => send("POST", "/v1/webhooks", HOOK)],
  "patch /v1/webhooks/{id}": [
    "webhook.update",
    async (world) => world.send("PATCH", `/v1/webhooks/${await webhook(world)}`, { enabled: false }),
  ],
  "post /v1/webhooks/{id}/secret": [
    "webhook.rotateSecret",
    async (world) => world.send("POST", `/v1/webhooks/${await webhook(world)}/secret`),
  ],
  "delete /v1/webhooks/{id}": [
    "webhook.delete",
    async (world) => world.send("DELETE", `/v1/webhooks/${await webhook(world)}`),
  ],
  "post /v1/webhooks/{id}/test": [
    "webhook.test",
    async (world) => world.send("POST", `/v1/webhooks/${await webhook(world)}/test`),
  ],
  "post /v1/webhooks/{id}/deliveries/{delivery}": [
    "webhook.sendAgain",
    async (world) => {
      const id = await webhook(world);
      return world.send("POST", `/v1/webhooks/${id}/deliveries/${await delivery(world, id)}`);
    },
  ],
  "post /v1/schedules": ["schedule.create", ({ send }) => send("POST", "/v1/schedules", NIGHTLY)],
  "patch /v1/schedules/{id}": [
    "schedule.update",
    async (world) => world.send("PATCH", `/v1/schedules/${await schedule(world)}`, { name: "Daily" }),
  ],
  "delete /v1/schedules/{id}": [
    "schedule.delete",
    async (world) => world.send("DELETE", `/v1/schedules/${await schedule(world)}`),
  ],
  "post /mcp": [
    "scan.start",
    ({ send }) => {
      const call = { name: "scan", arguments: { url: TARGET } };
      return send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
    },
  ],
};
