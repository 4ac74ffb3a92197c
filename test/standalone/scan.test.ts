import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scanSchema } from "@glovebox/contract";
import { startDemo, type Demo } from "@glovebox/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GloveboxCommand, glovebox, temporaryFolder } from "./command.ts";
import { startLocalApi } from "./local-api.ts";
import { startBlockingTarget } from "./blocking-target.ts";

const folder = temporaryFolder();
const ca = join(folder.path, "ca.pem");
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ variant: "vulnerable", port: 0, certificateDir: folder.path });
  writeFileSync(ca, demo.caPem);
});
afterAll(async () => {
  await demo.close();
  folder[Symbol.dispose]();
});

const scan = (...args: string[]) =>
  glovebox("scan", demo.url, "--spec", `${demo.url}/openapi.json`, "--allow-private", "--ca", ca, ...args);

describe("glovebox scan", () => {
  test("prints a table without colours if stdout is not a terminal, and exits with 0", async () => {
    const { code, stdout, stderr } = await scan();
    expect(stdout).toMatch(/^Score \d+ of 100, grade [A-F]/m);
    expect(stdout).toMatch(/^Object-level authorization +\d+ +.*(critical|high)/m);
    expect(stdout).not.toContain("\u001b");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("writes a Scan as JSON into a file", async () => {
    const file = join(folder.path, "scan.json");
    const { code, stdout } = await scan("--format", "json", "--output", file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    const result = scanSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    expect(result).toMatchObject({ status: "completed", url: `${demo.url}/` });
  });

  test("scans a server on this machine over plain HTTP, and does not assess encryption", async () => {
    await using local = await startLocalApi();
    const file = join(folder.path, "local.json");
    const url = `http://localhost:${local.port}`;
    const { code, stderr } = await glovebox("scan", url, "--format", "json", "--output", file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const result = scanSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    expect(result).toMatchObject({
      ...{ status: "completed", url: `${url}/` },
      categories: { encryption: { assessed: false, reason: expect.stringContaining("TLS") } },
    });
    expect(local.requests).toContain("GET /orders/1 200");
    expect(await glovebox("verify", file)).toMatchObject({ stdout: expect.stringContaining("Confirmed: ") });
  });

  test("calls no operation that --exclude names, and says so", async () => {
    await using local = await startLocalApi();
    const url = `http://localhost:${local.port}`;
    const { code, stdout } = await glovebox("scan", url, "--exclude", "/orders/**", "--exclude", "DELETE");
    expect(code).toBe(0);
    expect(stdout).toContain("Only some operations were called, and none that match /orders/**, DELETE.");
    expect(local.requests).toContain("GET /customers 200");
    expect(local.requests.filter((request) => /^DELETE|\/orders/.test(request))).toEqual([]);
  });

  test("uses an OpenAPI document from a file", async () => {
    const file = join(folder.path, "openapi.yaml");
    writeFileSync(
      file,
      "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {/v2/patients: {get: {responses: {}}}}\n",
    );
    const args = ["--spec", file, "--allow-private", "--ca", ca, "--format", "json"];
    const { stdout } = await glovebox("scan", demo.url, ...args);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "completed",
      statistics: { operations: expect.any(Number) },
    });
  });

  test.each([
    ["postman.json", '{"info": {"_postman_id": "1"}, "item": []}', "It is a Postman collection"],
    ["empty.yaml", "", "It is empty."],
  ])(
    "a document that is none, %s, exits with 2 and names the option, the file and the reason",
    async (name, text, why) => {
      const file = join(folder.path, name);
      writeFileSync(file, text);
      const { code, stdout, stderr } = await glovebox(
        "scan",
        demo.url,
        "--spec",
        file,
        "--allow-private",
        "--ca",
        ca,
      );
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`--spec: ${file}: The OpenAPI document could not be used. ${why}`);
    },
  );

  test.each([
    [["--fail-on", "high"], /findings? (is|are) high or worse/],
    [["--min-score", "100"], /The score \d+ is below 100/],
  ])("a reached threshold exits with 1 and the reason: %o", async (args, message) => {
    const { code, stderr, stdout } = await scan(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stdout).toMatch(/^Score/m);
  });

  test.each([
    [
      "a private address without --allow-private",
      () => ["scan", demo.url],
      /refused: loopback.*--allow-private/,
    ],
    [
      "an address without a server",
      () => ["scan", "https://127.0.0.1:1/", "--allow-private"],
      /refused the connection/,
    ],
    [
      "a public address without TLS",
      () => ["scan", "http://8.8.8.8/"],
      /http:\/\/8\.8\.8\.8 is refused: plain HTTP .*GLOVEBOX_EGRESS_ALLOW/,
    ],
    [
      "an address that is not of HTTP",
      () => ["scan", "ftp://127.0.0.1/"],
      /^glovebox: url: must be an https:\/\/ or http:\/\/ address$/m,
    ],
    [
      "a header whose variable is not set",
      () => ["scan", demo.url, "-H", "Authorization: Bearer env:NO_SUCH"],
      /^glovebox: --header: identity default: headers.Authorization: the variable NO_SUCH is not set$/m,
    ],
    [
      "a file of identities that is none",
      () => ["scan", demo.url, "--identity-file", ca],
      /^glovebox: --identity-file: .*ca\.pem: must have the key `identities`$/m,
    ],
    [
      "credentials for a model that may choose the host",
      () => ["mcp", "-H", "X-Key: k", "--allow-scan", "a.example", "--allow-scan", "b.example"],
      /--allow-scan: must name one host only where scans have identities/,
    ],
    ["a missing argument", () => ["scan"], /missing required argument 'url'/],
    ["an unknown option", () => ["scan", "--nonsense"], /unknown option '--nonsense'/],
    ["an unknown command", () => ["skan"], /unknown command 'skan'/],
  ])("%s exits with 2 and the reason", async (_kind, args, message) => {
    const { code, stdout, stderr } = await glovebox(...args());
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("SIGINT cancels the scan and exits with 2", async () => {
    await using target = await startBlockingTarget();
    const command = new GloveboxCommand(["scan", target.url, "--allow-private", "--format", "json"]);
    await target.reached();
    const { code, stdout } = await command.kill("SIGINT");
    expect(code).toBe(2);
    expect(scanSchema.parse(JSON.parse(stdout))).toMatchObject({
      status: "failed",
      error: { code: "cancelled" },
    });
  });

  test("--version and --help exit with 0", async () => {
    expect(await glovebox("--version")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await glovebox("--help")).toMatchObject({ code: 0, stdout: expect.stringContaining("serve") });
  });
});
