import { ERRORS, newScanId, scanFailure, type ErrorCode, type Plan } from "@glovebox/contract";
import { delivered } from "@glovebox/scan-run";
import { FORMATS, FORMAT_NAMES } from "@glovebox/report";
import { beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount, useTestApi } from "./testing/harness.ts";
import { ask, type TestResponse } from "./testing/requests.ts";
import { sampleOutcome } from "./testing/sample-report.ts";
import { COMMAND_LINE } from "@glovebox/store";
import { expectError } from "./testing/standard-headers.ts";

const api = useTestApi();
let owner: TestAccount;

beforeAll(async () => {
  owner = await newAccount(api.store);
});

async function submitted({ account } = owner): Promise<string> {
  const id = newScanId(new Date());
  await api.store.scans.submit({ actor: COMMAND_LINE, id, account, url: "https://api.shop.example/v1" });
  return id;
}
async function completed(of = owner): Promise<string> {
  const id = await submitted(of);
  await api.store.work.record(id, delivered(sampleOutcome()));
  return id;
}
/** An error with its message, unless that does not matter. */
function expectRefusal(
  response: TestResponse,
  code: ErrorCode,
  message: string = response.json.error.message,
): void {
  expectError(response, ERRORS[code].status, code);
  expect(response.json.error.message).toBe(message);
}
const report = (id: string, query: string, { key } = owner) =>
  ask(`${api.url}/v1/scan/${id}/report${query}`, { key });

describe("GET /v1/scan/{id}/report", () => {
  test.each(FORMAT_NAMES)("returns %s as a file with its media type and a name", async (format) => {
    const id = await completed();
    const { status, headers, text } = await report(id, `?format=${format}`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(FORMATS[format].mediaType);
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="glovebox-api.shop.example-${id}.${FORMATS[format].extension}"`,
    );
    expect(headers.get("content-security-policy")).toBe("sandbox");
    // The grid of a scan without identities has its header only.
    expect(text).toMatch(format === "accesscsv" ? /^method,path,violations\r?\n$/ : /HSTS|hsts/);
  });

  test("honours what was decided about a finding", async () => {
    const someone = await newAccount(api.store);
    const id = await completed(someone);
    const { findings } = api.store;
    const decision = { event: "markedFalsePositive", reason: "A test host." } as const;
    const actor = { userId: null, keyId: null, name: "ann", ip: null, requestId: "r" };
    await findings.decide(someone.account.id, await findings.idsOf(someone.account.id, { text: "HSTS" }), {
      decision,
      actor,
    });
    const { text } = await report(id, "?format=csv", someone);
    expect(text).toMatch(/,falsePositive,A test host\.,,ann\r\n$/);
  });

  test.each([
    ["", "format: must be one of json, sarif, junit, html, markdown, csv, accesscsv, codequality"],
    ["?format=pdf", "format: must be one of json, sarif, junit, html, markdown, csv, accesscsv, codequality"],
    ["?format=csv&format=html", "format: occurs more than once"],
  ])("refuses the query %j and names the field", async (query, message) => {
    expectRefusal(await report(await completed(), query), "invalid_request", message);
  });

  test("GET /v1/scan/{id}/report of a scan that is processing says when to ask again", async () => {
    const id = await submitted();
    const response = await report(id, "?format=html");
    expectRefusal(response, "scan_not_completed", "The scan is still processing.");
    expect([response.headers.get("retry-after"), response.headers.get("location")]).toEqual([
      "5",
      `/v1/scan/${id}`,
    ]);
  });

  test("GET /v1/scan/{id}/report of a scan that failed is refused", async () => {
    const id = await submitted();
    await api.store.work.record(id, { status: "failed", failure: scanFailure("target_errors") });
    const response = await report(id, "?format=html");
    expectRefusal(response, "scan_not_completed", "The scan failed and has no report.");
    expect(response.headers.get("retry-after")).toBeNull();
  });

  test("GET /v1/scan/{id}/report of an unknown scan, and of one of another account, is not found", async () => {
    const other = await completed(await newAccount(api.store));
    for (const id of [other, newScanId(new Date())])
      expectRefusal(await report(id, "?format=csv"), "not_found", "No such scan.");
  });

  test.each<[Plan, number]>([
    ["free", 403],
    ["starter", 200],
    ["pro", 200],
    ["enterprise", 200],
  ])("GET /v1/scan/{id}/report with the plan %s returns %i", async (plan, status) => {
    const account = await newAccount(api.store, { plan });
    expect((await report(await completed(account), "?format=csv", account)).status).toBe(status);
  });

  test("GET /v1/scan/{id}/report with a key that lacks the scope is refused", async () => {
    const writer = await newAccount(api.store, { scopes: ["scans:write"] });
    expectRefusal(await report(newScanId(new Date()), "?format=csv", writer), "forbidden");
  });
});
