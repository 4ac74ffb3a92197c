import { delivered } from "@glovebox/scan-run";
import { newScanId, type Scope } from "@glovebox/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount, useTestApi } from "./testing/harness.ts";
import { ask, type TestResponse } from "./testing/requests.ts";
import { sampleOutcome } from "./testing/sample-report.ts";
import { COMMAND_LINE } from "@glovebox/store";
import { expectError, expectStandardHeaders } from "./testing/standard-headers.ts";

const api = useTestApi();
let owner: TestAccount;

beforeAll(async () => {
  owner = await newAccount(api.store);
});

const post = (message: unknown, key: string | undefined = owner.key): Promise<TestResponse> =>
  ask(`${api.url}/mcp`, {
    ...(key !== undefined && { key }),
    body: message,
    headers: { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18" },
  });

/** The result of a request, from JSON or from the one event of a stream. */
async function rpc(method: string, params: object, key = owner.key) {
  const response = await post({ jsonrpc: "2.0", id: 1, method, params }, key);
  expectStandardHeaders(response);
  expect(response.status, response.text).toBe(200);
  const message = response.json ?? JSON.parse(/^data: (.*)$/m.exec(response.text)![1]!);
  return message.result;
}
const toolNames = async (key = owner.key): Promise<string[]> =>
  (await rpc("tools/list", {}, key)).tools.map(({ name }: { name: string }) => name);
/** The text of a tool's response. */
async function call(
  name: string,
  args: object,
  key = owner.key,
): Promise<{ text: string; isError: boolean }> {
  const { content, isError = false } = await rpc("tools/call", { name, arguments: args }, key);
  return { text: content[0].text, isError };
}
async function completed(of = owner): Promise<string> {
  const id = newScanId(new Date());
  await api.store.scans.submit({
    actor: COMMAND_LINE,
    id,
    account: of.account,
    url: "https://api.shop.example/v1",
  });
  await api.store.work.record(id, delivered(sampleOutcome()));
  return id;
}
const withScopes = (...scopes: Scope[]): Promise<TestAccount> => newAccount(api.store, { scopes });

describe("POST /mcp", () => {
  test("responds to an initialization with what it is, and says that results quote untrusted text", async () => {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const { serverInfo, instructions } = await rpc("initialize", params);
    expect(serverInfo.name).toBe("glovebox");
    expect(instructions).toContain("untrusted");
  });

  test("offers the tool that starts scans only to a key that may", async () => {
    const reading = ["list_scans", "get_scan", "explain_finding"];
    expect(await toolNames()).toEqual([...reading, "scan"]);
    expect(await toolNames((await withScopes("scans:read")).key)).toEqual(reading);
    expect(await toolNames((await withScopes("scans:read", "scans:write")).key)).toEqual([
      ...reading,
      "scan",
    ]);
  });

  test("refuses to start a scan with a key that may only read", async () => {
    const { key } = await withScopes("scans:read");
    const before = api.launched.length;
    const result = await rpc("tools/call", { name: "scan", arguments: { url: "https://a.example" } }, key);
    expect(result?.isError ?? true).toBe(true);
    expect(api.launched).toHaveLength(before);
  });

  test("starts a scan as POST /v1/scan does, and does not wait", async () => {
    const { text } = await call("scan", { url: "https://API.shop.example:443/v1" });
    const scan = JSON.parse(text);
    expect(scan).toMatchObject({ status: "processing", url: "https://api.shop.example/v1" });
    expect(api.launched).toContain(scan.id);
  });

  test("a model starts a scan of some operations with a saved set, and gets nothing of the set", async () => {
    const file = { identities: [{ name: "alice", role: "user" as const, headers: { "X-Key": "s3cret" } }] };
    const set = { name: "staging", origin: "https://api.shop.example" };
    await api.store.identitySets.save(owner.account.id, set, file);
    const filters = { include: ["/orders/**"], exclude: ["DELETE"] };
    const args = { url: "https://api.shop.example/v1", ...filters, identitySet: "staging" };
    const { text } = await call("scan", args);
    const scan = JSON.parse(text);
    expect(scan).toMatchObject({ status: "processing", ...filters });
    expect(await api.store.identities.ofScan(scan.id)).toEqual(file);
    expect(text).not.toMatch(/s3cret|alice|staging/);
  });

  test("a scan that a model asks for with credentials is refused with the reason", async () => {
    const before = api.launched.length;
    const identities = [{ name: "alice", headers: { "X-Key": "s3cret" } }];
    const { text, isError } = await call("scan", { url: "https://a.example", identities });
    expect([isError, /identities/.test(text)]).toEqual([true, true]);
    expect(api.launched).toHaveLength(before);
  });

  test.each([
    [{ url: "https://a.example", identitySet: "none" }, "invalid_request"],
    [{ url: "http://a.example" }, "invalid_url"],
    [{ url: "https://127.0.0.1" }, "invalid_url"],
    [{ url: "https://a.example", context: "home" }, undefined],
  ])("refuses the scan %j with the error of /v1", async (args, code) => {
    const { text, isError } = await call("scan", args);
    expect(isError).toBe(true);
    if (code !== undefined) expect(JSON.parse(text).error.code).toBe(code);
  });

  test("lists, gets in short and explains", async () => {
    const id = await completed();
    const list = JSON.parse((await call("list_scans", { limit: 1 })).text);
    expect(list).toMatchObject({ limit: 1, offset: 0, scans: [{ id }] });
    const scan = JSON.parse((await call("get_scan", { scan: id })).text);
    expect(scan).toMatchObject({ id, status: "completed", findings: [{ id: "f-1", severity: "low" }] });
    expect(JSON.stringify(scan)).not.toContain("curl");
    const { text } = await call("explain_finding", { scan: id, finding: "f-1" });
    expect(text).toContain("### No HSTS");
    expect(text).toContain("curl -I https://example.com");
  });

  test("waits for the end of a scan", async () => {
    const id = newScanId(new Date());
    await api.store.scans.submit({
      actor: COMMAND_LINE,
      id,
      account: owner.account,
      url: "https://api.shop.example/v1",
    });
    const waiting = call("get_scan", { scan: id, waitSeconds: 50 });
    await api.store.work.record(id, delivered(sampleOutcome()));
    expect(JSON.parse((await waiting).text).status).toBe("completed");
  });

  test("finds no scan of another account, and no finding that is not there", async () => {
    const ofOther = await completed(await newAccount(api.store));
    const { text, isError } = await call("get_scan", { scan: ofOther });
    expect([isError, JSON.parse(text).error.code]).toEqual([true, "not_found"]);
    expect(await call("explain_finding", { scan: await completed(), finding: "f-9" })).toEqual({
      isError: true,
      text: "The scan has no such finding.",
    });
  });

  test("POST /mcp is refused without a key, and without the scope to read", async () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    expectError(await ask(`${api.url}/mcp`, { body: list }), 401, "unauthorized");
    expectError(await post(list, (await withScopes("scans:write")).key), 403, "forbidden");
  });

  test.each(["GET", "DELETE"])("responds to %s with 405", async (method) => {
    const response = await ask(`${api.url}/mcp`, { key: owner.key, method });
    expectError(response, 405, "method_not_allowed");
    expect(response.headers.get("allow")).toBe("POST");
  });

  test("counts against the rate of the key", async () => {
    const { key } = await newAccount(api.store, { requestsPerMinute: 1 });
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    await post(list, key);
    expectError(await post(list, key), 429, "rate_limit_exceeded");
  });
});
