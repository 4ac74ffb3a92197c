import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashSecret, newToken, openStore, type Store } from "@glovebox/store";
import { Passwords } from "../../api/src/sign-in/passwords.ts";
import { type Browser, type BrowserContext, type Page, chromium } from "@playwright/test";
import { temporaryFolder } from "../standalone/command.ts";
import { serve, type Service } from "../standalone/service.ts";

/** A running service with a browser in which its first user is signed in. */
export interface DashboardService extends AsyncDisposable {
  readonly service: Service;
  /** Where browsers reach it. */
  readonly url: string;
  /** A window of a signed-in browser. What goes wrong in it is in `problems`. */
  open(options?: Parameters<Browser["newContext"]>[0]): Promise<{ page: Page; context: BrowserContext }>;
  /** The same, with an administrator of the service, who is also an owner. */
  openAsAdministrator: DashboardService["open"];
  /** The same, with a user who signs in with `PASSWORD` and is an owner of both accounts, `default` and `payments`. */
  openAsMemberOfTwo: DashboardService["open"];
  /** Of the service; what happens in it, browsers see. */
  readonly store: Store;
  /** Errors, violations of the Content-Security-Policy and requests to other hosts, in all windows. */
  readonly problems: string[];
}

/** It asks for no icon, which Chromium would report as missing. */
const EMPTY_PAGE = `<!doctype html><link rel="icon" href="data:,">`;
const ARGUMENTS = ["--no-sandbox", "--disable-quic", "--disable-gpu", "--disable-dev-shm-usage"];

export async function startDashboard(env: NodeJS.ProcessEnv = {}): Promise<DashboardService> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(temporaryFolder());
  const dataDir = join(folder.path, "data");
  const service = await serve(dataDir, env);
  cleanup.defer(async () => void (await service.stop()));
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGUMENTS });
  cleanup.defer(() => browser.close());
  const url = `http://localhost:${new URL(service.address).port}`;
  const store = await storeOf(dataDir);
  cleanup.defer(() => store.close());
  const owner = await signInOwner(store, false);
  const administrator = await signInOwner(store, true);
  const problems: string[] = [];
  const running = cleanup.move();
  const openWith =
    (token: string): DashboardService["open"] =>
    async (options) => {
      const context = await browser.newContext({ baseURL: url, ...options });
      const page = await context.newPage();
      await setSession(page, token);
      watch(page, url, problems);
      return { page, context };
    };
  return {
    ...{ service, url, store, problems },
    open: openWith(owner),
    openAsAdministrator: openWith(administrator),
    openAsMemberOfTwo: async (options) => openWith(await signInToTwo(store))(options),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function storeOf(dataDir: string): Promise<Store> {
  const { databaseUrl } = JSON.parse(readFileSync(join(dataDir, "running.json"), "utf8")) as {
    databaseUrl: string;
  };
  return openStore({ url: databaseUrl, connectTimeoutSeconds: 5, maxConnections: 1 });
}

/** A new owner of the account of the first key; returns the token of the session. */
async function signInOwner(store: Store, isAdministrator: boolean): Promise<string> {
  const account = await store.accounts.find("default");
  const email = `owner-${randomBytes(4).toString("hex")}@example.test`;
  const identity = { issuer: "https://id.example.test", subject: email };
  const userId = (await store.users.createFromProvider(
    { email, name: isAdministrator ? "Grace Administrator" : "Ada Owner" },
    identity,
  ))!;
  await store.users.setRole(userId, account!.id, "owner");
  if (isAdministrator) await store.users.setAdministrator(userId, true);
  return startSession(store, userId);
}

/** What the user of `openAsMemberOfTwo` signs in with. */
export const PASSWORD = "correct horse battery staple";

async function signInToTwo(store: Store): Promise<string> {
  const terms = { plan: "pro", requestsPerMinute: null, scansPerMonth: null, activeMode: false } as const;
  const first = (await store.accounts.find("default"))!.id;
  const second =
    (await store.accounts.find("payments"))?.id ??
    (await store.accounts.create({ name: "payments", ...terms }))!;
  const email = `two-${randomBytes(4).toString("hex")}@example.test`;
  const sha256 = hashSecret(newToken());
  const membership = { accountId: first, role: "owner" } as const;
  await store.invitations.create({ sha256, email, membership, days: 1 });
  const passwordHash = await new Passwords().hash(PASSWORD);
  const { userId } = await store.invitations.accept(sha256, { name: "Alan Two", passwordHash });
  await store.users.setRole(userId!, second, "owner");
  return startSession(store, userId!);
}

/** Returns its token. */
async function startSession(store: Store, userId: string): Promise<string> {
  const token = newToken();
  const sha256 = hashSecret(token);
  await store.sessions.create({ sha256, userId, ip: null, agent: "A browser", hasSecondFactor: false });
  return token;
}

/** Scans the demo target, and resolves when the scan has ended. */
export async function scanDemo(service: Service): Promise<void> {
  const [, demo] = /Demo target, vulnerable on purpose: (\S+)/.exec(service.printed)!;
  const body = JSON.stringify({ url: demo, specUrl: `${demo}/openapi.json` });
  const response = await service.call("/v1/scan", {
    method: "POST",
    body,
    headers: { prefer: "respond-async" },
  });
  const { id } = (await response.json()) as { id: string };
  const events = await service.call(`/v1/scan/${id}/events`);
  await events.text(); // the stream ends with the scan
}

/** A schedule with long values, for the list of schedules. */
export async function schedule(service: Service): Promise<void> {
  const [, demo] = /Demo target, vulnerable on purpose: (\S+)/.exec(service.printed)!;
  const body = JSON.stringify({
    name: "Orders and invoices of all shops, each night",
    url: `${demo}/orders-and-invoices/of-all-shops/v1`,
    ...{ schedule: "30 2 * * 1-5", timeZone: "America/Argentina/Buenos_Aires" },
  });
  const { status } = await service.call("/v1/schedules", { method: "POST", body });
  if (status !== 200) throw new Error(`The schedule was not created: ${status}.`);
}

/** By a response, as the service does: the protocol of the browser's tools refuses the prefix `__Host-`. */
async function setSession(page: Page, token: string): Promise<void> {
  const cookie = `__Host-glovebox=${token}; Path=/; Secure; HttpOnly; SameSite=Lax`;
  await page.route("/session", (route) =>
    route.fulfill({ contentType: "text/html", headers: { "set-cookie": cookie }, body: EMPTY_PAGE }),
  );
  await page.goto("/session");
  await page.unroute("/session");
}

function watch(page: Page, url: string, problems: string[]): void {
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== url) problems.push(`a request to ${origin}`);
  });
}
