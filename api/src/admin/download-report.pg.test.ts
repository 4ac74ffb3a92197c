import { delivered } from "@glovebox/scan-run";
import { newScanId } from "@glovebox/contract";
import { beforeAll, expect, test } from "vitest";
import { signIn } from "../testing/admin-client.ts";
import { newAccount, type TestAccount, useTestApi } from "../testing/harness.ts";
import { ask, type TestResponse } from "../testing/requests.ts";
import { sampleOutcome } from "../testing/sample-report.ts";
import { COMMAND_LINE } from "@glovebox/store";
import { expectError } from "../testing/standard-headers.ts";

const api = useTestApi();
let shop: TestAccount;
let id: string;

beforeAll(async () => {
  shop = await newAccount(api.store);
  id = await completed(shop);
});

async function completed({ account }: TestAccount): Promise<string> {
  const scan = newScanId(new Date());
  await api.store.scans.submit({
    actor: COMMAND_LINE,
    id: scan,
    account,
    url: "https://api.shop.example/v1",
  });
  await api.store.work.record(scan, delivered(sampleOutcome()));
  return scan;
}
const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };
const download = (
  headers: Record<string, string>,
  { scan = id, format = "csv", account = shop.account.id } = {},
): Promise<TestResponse> =>
  ask(`${api.url}/admin/scan/${scan}/report?account=${account}&format=${format}`, {
    headers: { ...SAME_ORIGIN, ...headers },
  });

test("a viewer gets the file that a key gets, which no cache keeps", async () => {
  const { cookie } = await signIn(api, shop.account, { role: "viewer" });
  const { status, headers, text } = await download({ cookie });
  expect(status).toBe(200);
  expect(headers.get("content-disposition")).toBe(
    `attachment; filename="glovebox-api.shop.example-${id}.csv"`,
  );
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-security-policy")).toBe("sandbox");
  expect(text).toBe((await ask(`${api.url}/v1/scan/${id}/report?format=csv`, { key: shop.key })).text);
});

test("the scan of another account is not found", async () => {
  const other = (await newAccount(api.store)).account;
  const { cookie } = await signIn(api, other);
  expectError(await download({ cookie }, { account: other.id }), 404, "not_found");
  expectError(await download({ cookie }), 403, "forbidden");
});

test("without a session the download is refused, with a key too", async () => {
  expectError(await download({}), 401, "unauthorized");
  expectError(await download({ authorization: `Bearer ${shop.key}` }), 401, "unauthorized");
});

test.each([
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["a site of the same domain", { "sec-fetch-site": "same-site" }],
  [
    "another origin, in a browser without Sec-Fetch-Site",
    { "sec-fetch-site": "", origin: "https://a.example" },
  ],
])("a download from %s is refused", async (_name, headers) => {
  const { cookie } = await signIn(api, shop.account);
  expectError(await download({ cookie, ...headers }), 403, "forbidden");
});

test("a plan without exports is refused in the words of the REST API", async () => {
  const free = await newAccount(api.store, { plan: "free" });
  const { cookie } = await signIn(api, free.account);
  const response = await download({ cookie }, { scan: await completed(free), account: free.account.id });
  expectError(response, 403, "forbidden");
  expect(response.json.error.message).toBe("The plan does not include report exports.");
});

test("an unknown format is refused, and names the field", async () => {
  const { cookie } = await signIn(api, shop.account);
  const response = await download({ cookie }, { format: "pdf" });
  expectError(response, 400, "invalid_request");
  expect(response.json.error.message).toMatch(/^format: must be one of/);
});
