import { PLANS, type Plan, type Scope } from "@glovebox/contract";
import { hashApiKey, newApiKey, openStore, type Account, type Store } from "@glovebox/store";
import { createEgressPolicy, type Lookup } from "@glovebox/egress";
import { newIdentityKey, parseIdentityKeys, type IdentityKeys } from "@glovebox/store/identity-keys";
import { openStoreAt } from "@glovebox/store/testing";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { createApi, type Api } from "../api.ts";
import type { ApiDeps, ApiSettings, ScanLauncher } from "../deps.ts";
import { testDatabase, type TestDatabase } from "./database.ts";

export interface TestApi {
  readonly api: Api;
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  readonly databaseUrl: string;
  /** Every log line so far. */
  readonly log: string[];
  readonly launched: string[];
  readonly cancelled: string[];
  close(): Promise<void>;
}

export interface TestApiOptions {
  readonly databaseUrl: string;
  readonly settings?: Partial<ApiSettings>;
  readonly lookup?: Lookup;
  readonly launcher?: ScanLauncher;
  readonly now?: () => Date;
  readonly redisUrl?: string;
  /** Default: a new key; null: none. */
  readonly identityKeys?: IdentityKeys | null;
  /** Stands before the real store, such as one that fails. */
  readonly wrap?: (store: Store) => Store;
}

/** An API on a free loopback port over its own store. Every name resolves to a public address. */
export async function startTestApi(options: TestApiOptions): Promise<TestApi> {
  const { databaseUrl, identityKeys = parseIdentityKeys(newIdentityKey()) } = options;
  const connections = { connectTimeoutSeconds: 1, maxConnections: 4 };
  const database = { url: databaseUrl, ...connections, identityKeys: identityKeys ?? undefined };
  const store = await (options.now ? openStoreAt(database, options.now) : openStore(database));
  const log: string[] = [];
  const launched: string[] = [];
  const cancelled: string[] = [];
  const recorder: ScanLauncher = {
    launch: async ({ id }) => void launched.push(id),
    cancel: async (id) => void cancelled.push(id),
  };
  const deps: ApiDeps = {
    store: options.wrap?.(store) ?? store,
    launcher: options.launcher ?? recorder,
    egress: {
      policy: createEgressPolicy({ allow: options.settings?.egressAllow ?? [] }),
      lookup: options.lookup ?? (async () => ["93.184.215.14"]),
    },
    logger: pino({ level: "debug" }, { write: (line: string) => void log.push(line) }),
    now: options.now ?? (() => new Date()),
    redisUrl: options.redisUrl,
    settings: { port: 0, addressRequestsPerMinute: 1_000_000, webhooks: false, ...options.settings },
  };
  const api = createApi(deps);
  await api.start();
  const close = async (): Promise<void> => {
    await api.close();
    await store.close();
  };
  const url = api.url();
  return { api, url, port: Number(new URL(url).port), store, databaseUrl, log, launched, cancelled, close };
}

/**
 * An API with a new database for the tests of a file, which calls this outside of all hooks: it starts before them, and both are
 * removed after them.
 */
export function useTestApi(options: Omit<TestApiOptions, "databaseUrl"> = {}): TestApi {
  const api = {} as TestApi;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    Object.assign(api, await startTestApi({ ...options, databaseUrl: database.url }));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });
  return api;
}

export interface TestAccount {
  readonly account: Account;
  readonly key: string;
  readonly keyId: string;
}

export interface TestAccountOptions {
  readonly plan?: Plan;
  readonly scopes?: readonly Scope[];
  readonly requestsPerMinute?: number;
  readonly expiresAt?: Date;
}

let accounts = 0;

/** A new account with one key; Enterprise with a rate that no test meets by accident, unless told otherwise. */
export async function newAccount(store: Store, options: TestAccountOptions = {}): Promise<TestAccount> {
  const { plan = "enterprise", scopes, expiresAt } = options;
  const requestsPerMinute = options.requestsPerMinute ?? (options.plan ? undefined : 100_000);
  const name = `account-${process.pid}-${++accounts}`;
  const account = await store.accounts.declare({ name, plan, requestsPerMinute });
  const key = newApiKey();
  const { keyId } = await store.keys.add({
    accountId: account.id,
    name: "k",
    sha256: hashApiKey(key),
    scopes,
    expiresAt,
  });
  return { account, key, keyId };
}

export const planRate = (plan: Plan): number => PLANS[plan].requestsPerMinute;
