import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { Provider } from "oidc-provider";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../standalone/command.ts";
import { serve, type Service } from "../standalone/service.ts";
import { freePort } from "../support/free-port.ts";
import { launchChromium, throughProvider } from "./chromium.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const folder = temporaryFolder();
let service: Service;
let browser: Browser;
let provider: Server;
let origin: string;
let context: BrowserContext;
let page: Page;
const violations: string[] = [];

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  provider = createServer().listen(0, "127.0.0.1");
  await once(provider, "listening");
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: "glovebox",
        client_secret: "secret",
        redirect_uris: [`${origin}/sign-in/oidc/corp/callback`],
      },
    ],
    claims: { openid: ["sub"], email: ["email"], profile: ["name"] },
    cookies: { keys: ["a key for tests"] },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, email: `${sub}@corp.example` }),
    }),
  });
  const handle = oidc.callback();
  provider.on("request", (req, res) => void handle(req, res));
  const providers = join(folder.path, "providers.yaml");
  const setting = { id: "corp", name: "Corp", issuer, clientId: "glovebox", clientSecret: "secret" };
  writeFileSync(providers, JSON.stringify({ providers: [setting] }));
  const env = { GLOVEBOX_DEMO: "off", PORT: String(port), GLOVEBOX_OIDC_FILE: providers };
  service = await serve(join(folder.path, "data"), env);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  provider?.closeAllConnections();
  provider?.close();
  folder[Symbol.dispose]();
});

beforeEach(async () => {
  context = await browser.newContext();
  // The pages of the provider ask for fonts.
  await context.route(
    ({ hostname }) => !["localhost", "127.0.0.1"].includes(hostname),
    (route) => route.abort(),
  );
  page = await context.newPage();
  watch(page);
});
afterEach(async () => {
  await context.close();
  const found = violations.splice(0);
  if (found.length > 0) throw new Error(found.join("\n"));
});

/** Collects what pages must not have: violations of the policy, and errors. */
function watch(watched: Page): void {
  watched.on("pageerror", (error) => violations.push(error.message));
  watched.on("console", (message) => {
    if (message.type() === "error" && message.text().includes("Content Security Policy"))
      violations.push(message.text());
  });
}

async function signIn(on = page): Promise<void> {
  await on.goto(`${origin}/sign-in?next=%2Fprofile`);
  await on.getByLabel("E-mail address").fill(EMAIL);
  await on.getByLabel("Password").fill(PASSWORD);
  await on.getByRole("button", { name: "Sign in" }).click();
}

/** Gives the password, which the profile asks for before it changes how the user signs in. */
async function confirm(): Promise<void> {
  await page.getByRole("link", { name: "Confirm that it is you" }).click();
  await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL(`${origin}/profile`);
}

const sessionCookie = async () =>
  (await context.cookies(origin)).find(({ name }) => name === "__Host-glovebox");

async function addAuthenticator(): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "usb",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** No finding of WCAG 2.2 AA, in both themes, and nothing wider than 320 px. */
async function expectAccessible(): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations: found } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
    expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.locator("html").evaluate(({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(320);
}

describe("sign-in in a browser", () => {
  it("makes the first administrator by the link that the start prints, and not twice", async () => {
    const link = /http:\S+\/invitation\/\S+/.exec(service.printed)![0];
    await page.goto(link);
    await expectAccessible();
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.goto(`${origin}/profile`);
    expect(await page.textContent("main")).toContain("Ada Lovelace");
    const again = await page.goto(link);
    expect(again!.status()).toBe(404);
  });

  it("keeps the session in a cookie that scripts do not see", async () => {
    await page.goto(`${origin}/sign-in`);
    await expectAccessible();
    await signIn();
    await page.waitForURL(`${origin}/profile`);
    expect(await sessionCookie()).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax", path: "/" });
    expect(await page.evaluate("document.cookie")).toBe("");
    await expectAccessible();
  });

  it("says that a password is wrong, and gives no session", async () => {
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByLabel("Password").fill("a wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toBe("The e-mail address or the password is wrong.");
    await expectAccessible();
    expect(await sessionCookie()).toBeUndefined();
  });

  it("accepts no form of another site", async () => {
    await signIn();
    await page.waitForURL(`${origin}/profile`);
    const attacker = await context.newPage();
    await attacker.route("http://127.0.0.1:9/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<form method="post" action="${origin}/sign-out/everywhere"><button>Win</button></form>`,
      }),
    );
    await attacker.goto("http://127.0.0.1:9/");
    const [response] = await Promise.all([
      attacker.waitForResponse(`${origin}/sign-out/everywhere`),
      attacker.getByRole("button").click(),
    ]);
    expect(response.status()).toBe(403);
    await page.reload();
    expect(page.url()).toBe(`${origin}/profile`);
  });

  it("goes to a provider and comes back, which links it to the user", async () => {
    await signIn();
    await page.waitForURL(`${origin}/profile`);
    await confirm();
    await page.getByRole("link", { name: "Link Corp" }).click();
    await throughProvider(page, "ada");
    await page.getByRole("heading", { name: "Link this identity?" }).waitFor();
    expect(await page.textContent("main")).toContain("ada@corp.example at Corp");
    await expectAccessible();
    await page.getByRole("button", { name: `Link to ${EMAIL}` }).click();
    await page.waitForURL(`${origin}/profile?done=linked`);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL(`${origin}/sign-in`);
    expect(await sessionCookie()).toBeUndefined();

    await context.clearCookies({ domain: "127.0.0.1" });
    await page.goto(`${origin}/sign-in?next=%2Fprofile`);
    await page.getByRole("link", { name: "Continue with Corp" }).click();
    await throughProvider(page, "ada");
    await page.waitForURL(`${origin}/profile`);
    expect(await page.textContent("main")).toContain(EMAIL);
  });

  it("asks for a passkey once there is one, and gives no session without", async () => {
    await addAuthenticator();
    await signIn();
    await page.waitForURL(`${origin}/profile`);
    await confirm();
    const before = (await sessionCookie())!.value;
    await page.getByLabel("Name of the new passkey").fill("USB key");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.waitForURL(`${origin}/profile?done=passkey`);
    expect((await sessionCookie())!.value).not.toBe(before);
    expect(await page.textContent("main")).toContain("USB key");

    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await signIn();
    await page.getByRole("heading", { name: "Confirm with your passkey" }).waitFor();
    await expectAccessible();
    expect(await sessionCookie()).toBeUndefined();
    const skipped = await page.context().request.get(`${origin}/profile`, { maxRedirects: 0 });
    expect(skipped.status()).toBe(303);
    await page.getByRole("button", { name: "Use passkey" }).click();
    await page.waitForURL(`${origin}/profile`);
    expect(await sessionCookie()).toBeDefined();

    await page.getByRole("link", { name: "Confirm that it is you" }).click();
    await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
    await expectAccessible();
    await page.getByRole("button", { name: "Use passkey" }).click();
    await page.waitForURL(`${origin}/profile`);
    await page.getByRole("button", { name: "Remove USB key" }).click();
    await page.waitForURL(`${origin}/profile?done=removed`);
  });
});
