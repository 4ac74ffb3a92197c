import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Session } from "@glovebox/store";
import { createApp } from "../http/app.ts";
import { accessByPath } from "../http/access-control.ts";
import { openDashboardFiles } from "./dashboard-files.ts";
import { assetOperations, serveDashboard } from "./dashboard.ts";

const SCRIPT = "console.log('dashboard')";
const HTML = { accept: "text/html,application/xhtml+xml" };
const SHOP = "00000000-0000-4000-8000-000000000001";
const SESSION: Session = {
  ...{ sessionId: "s", createdAt: new Date(), hasSecondFactor: false, isConfirmed: false },
  user: { id: "u", email: "ada@example.com", name: "Ada", isAdministrator: false },
  memberships: [{ accountId: SHOP, accountName: "shop", plan: "pro", role: "viewer" }],
  accountId: SHOP,
};
const SIGNED_IN = { ...HTML, cookie: "session=1" };

let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "glovebox-dashboard-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), `<!doctype html><html lang="en"></html>`);
  writeFileSync(join(folder, "manifest.json"), "{}");
  writeFileSync(join(folder, "assets/main-1.js"), SCRIPT);
  writeFileSync(join(folder, "assets/main-1.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "assets/main-1.js.gz"), gzipSync(SCRIPT));
  const files = openDashboardFiles(folder)!;
  const { handler } = createApp({
    routes: [],
    services: {},
    accessControl: async () => undefined,
    addressLimit: 60,
    now: () => new Date(),
    trustProxy: 0,
    logger: pino({ level: "silent" }),
    onResponse: () => undefined,
    isClosing: () => false,
    mounts: [],
    unmatched: serveDashboard({
      files,
      sessionOf: async ({ cookie }) => (cookie?.includes("session=1") ? SESSION : undefined),
      accounts: { find: async () => undefined, findById: async () => undefined },
      selectAccount: async () => true,
    }),
  });
  server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
  fetch(url + path, { headers, method, redirect: "manual" });

describe("the dashboard", () => {
  test.each(["/a/shop", "/a/shop/scans", `/a/${SHOP}/scan/scan-01?tab=proof`])(
    "responds to a signed-in navigation to %s with the page, which may load nothing from elsewhere",
    async (path) => {
      const response = await get(path, SIGNED_IN);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
          "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types 'none'",
      );
      expect(await response.text()).toContain(`<html data-account="${SHOP}" lang`);
    },
  );

  test.each([
    ["/", "/sign-in"],
    ["/findings?status=open&q=a%26b", "/sign-in?next=%2Ffindings%3Fstatus%3Dopen%26q%3Da%2526b"],
    ["//evil.test/x", "/sign-in?next=%2F%2Fevil.test%2Fx"],
  ])("sends a navigation to %s without a session to %s", async (path, location) => {
    const response = await get(path, HTML);
    expect([response.status, response.headers.get("location")]).toEqual([303, location]);
  });

  test.each(["/v1/nothing", "/admin/x", "/sign-in/x", "/mcp/x", "/assets/gone-1.js"])(
    "leaves %s to the 404 of the API, also in a browser",
    async (path) => {
      const response = await get(path, SIGNED_IN);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toContain("application/json");
    },
  );

  test.each([
    ["/", "/a/shop/"],
    ["/scans?status=failed", "/a/shop/scans?status=failed"],
    ["//evil.test/x", "/a/shop/evil.test/x"],
  ])("leads from %s, which names no account, to %s", async (path, location) => {
    const response = await get(path, SIGNED_IN);
    expect([response.status, response.headers.get("location")]).toEqual([303, location]);
  });

  test.each(["/a/payments/keys", "/a/%00/keys", "/a/%zz"])(
    "the page for an account that the user is not a member of names no account: %s",
    async (path) => {
      const response = await get(path, SIGNED_IN);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain("data-account");
    },
  );

  test("the dashboard is not a page for programs, and for no other method than GET and HEAD", async () => {
    expect((await get("/", { ...SIGNED_IN, accept: "*/*" })).status).toBe(404);
    expect((await get("/", SIGNED_IN, "POST")).status).toBe(404);
    expect((await get("/a/shop/", SIGNED_IN, "HEAD")).status).toBe(200);
  });

  test.each([
    ["glovebox-theme=dark", ` class="theme-dark" lang="en">`],
    ["session=1; glovebox-theme=light; a=b", ` class="theme-light" lang="en">`],
    [`glovebox-theme="><script>`, `<html data-account="${SHOP}" lang="en">`],
  ])("the dashboard with the cookie %s begins with %s", async (cookie, html) => {
    const response = await get("/a/shop/", { ...HTML, cookie: `${cookie}; session=1` });
    expect(await response.text()).toContain(html);
  });
});

describe("an asset", () => {
  test.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", null],
  ])("an asset for Accept-Encoding %s is sent as %s, and kept for ever", async (accepted, encoding) => {
    const response = await get("/assets/main-1.js", { "accept-encoding": accepted });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await response.text()).toBe(SCRIPT);
  });

  test.each([
    "/manifest.json",
    "/assets/main-1.js.br",
    "/assets/../manifest.json",
    "/assets/%2e%2e/manifest.json",
  ])("an asset is nothing else of the folder: %s is a 404", async (path) =>
    expect((await get(path)).status).toBe(404),
  );

  test("an asset is not counted against any rate limit; the page is, against the user where there is a session", () => {
    const access = accessByPath(assetOperations(openDashboardFiles(folder)!));
    expect([access("/assets/main-1.js"), access("/scans"), access("/v1/scans")]).toEqual([
      "probe",
      "session",
      "key",
    ]);
  });
});

test("a service whose dashboard is not built has no files of it", () => {
  expect(openDashboardFiles(join(folder, "nothing"))).toBeUndefined();
});
