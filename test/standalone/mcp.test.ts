import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startDemo, type Demo } from "@glovebox/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { glovebox, temporaryFolder } from "./command.ts";

const BUNDLE = fileURLToPath(new URL("../../dist/glovebox.mjs", import.meta.url));
const folder = temporaryFolder();
const ca = join(folder.path, "ca.pem");
const report = join(folder.path, "report.json");
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ variant: "vulnerable", port: 0, certificateDir: folder.path });
  writeFileSync(ca, demo.caPem);
  await glovebox("scan", demo.url, "--allow-private", "--ca", ca, "--format", "json", "--output", report);
}, 120_000);
afterAll(async () => {
  await demo.close();
  folder[Symbol.dispose]();
});

/** A client on the command's standard input and output. */
class Client implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, (message: any) => void>();
  #ids = 0;

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [BUNDLE, "mcp", ...args], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#child.stdout! }).on("line", (line) => {
      const message = JSON.parse(line);
      this.#pending.get(message.id)?.(message);
    });
  }

  async initialized(): Promise<this> {
    const clientInfo = { name: "test", version: "1" };
    await this.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return this;
  }

  async ask(method: string, params: object): Promise<any> {
    const id = ++this.#ids;
    const { promise, resolve } = Promise.withResolvers<any>();
    this.#pending.set(id, resolve);
    this.#send({ jsonrpc: "2.0", id, method, params });
    return (await promise).result;
  }

  async call(name: string, args: object): Promise<{ text: string; isError: boolean }> {
    const { content, isError = false } = await this.ask("tools/call", { name, arguments: args });
    return { text: content[0].text, isError };
  }

  #send(message: object): void {
    this.#child.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  /** The exit code after the end of the input. */
  async ended(): Promise<number | null> {
    this.#child.stdin!.end();
    const [code] = await once(this.#child, "exit");
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) await this.ended();
  }
}

describe("glovebox mcp", () => {
  test("glovebox mcp without --allow-scan reads and explains a report, and ends with its input", async () => {
    await using client = await new Client(report).initialized();
    const { tools } = await client.ask("tools/list", {});
    expect(tools.map(({ name }: any) => name)).toEqual(["list_scans", "get_scan", "explain_finding"]);
    const { scans } = JSON.parse((await client.call("list_scans", {})).text);
    const { findings } = JSON.parse((await client.call("get_scan", { scan: scans[0].id })).text);
    const { text } = await client.call("explain_finding", { scan: scans[0].id, finding: findings[0].id });
    expect(text).toContain("**Fix:**");
    expect(await client.ended()).toBe(0);
  });

  test("glovebox mcp with --allow-scan scans that host, waits for the end, and verifies a finding", async () => {
    const args = ["--allow-scan", new URL(demo.url).host, "--allow-private", "--ca", ca];
    await using client = await new Client(...args).initialized();
    const refused = await client.call("scan", { url: "https://other.example" });
    expect(refused).toEqual({ isError: true, text: expect.stringContaining("may not be scanned") });
    let scan = JSON.parse((await client.call("scan", { url: demo.url })).text);
    while (scan.status === "processing")
      scan = JSON.parse((await client.call("get_scan", { scan: scan.id, waitSeconds: 50 })).text);
    expect(scan).toMatchObject({ status: "completed", grade: "F" });
    const { text } = await client.call("verify_finding", { scan: scan.id, finding: scan.findings[0].id });
    expect(JSON.parse(text)[0].is).toBe("confirmed");
  }, 180_000);
});
