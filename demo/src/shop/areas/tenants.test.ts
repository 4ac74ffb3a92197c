import type { ShopApi } from "../testing/shop-api.ts";
import { testShop } from "../testing/shop-tests.ts";
import { tenants } from "./tenants.ts";

/** Whether alice, of another company, gets what the path returns to carol. */
const getsCastle = async (api: ShopApi, path: string, headers: Record<string, string> = {}) =>
  (await (await api.as("carol")).get(path)).text === (await (await api.as("alice")).get(path, headers)).text;

testShop("tenants", tenants, {
  weaknesses: {
    "The `X-Tenant-Id` header selects any company": (api) =>
      getsCastle(api, "/v2/company", { "x-tenant-id": "castle" }),
    "`tenantId` in the path selects any company": (api) => getsCastle(api, "/v2/tenants/castle/contracts"),
    "`tenantId` in the query selects any company": (api) => getsCastle(api, "/v2/suppliers?tenantId=castle"),
    "`tenantId` in the body selects any company": async (api) => {
      const body = { tenantId: "castle", month: "2027-01" };
      const [carol, alice] = await Promise.all(
        (["carol", "alice"] as const).map(async (name) =>
          (await api.as(name)).send("POST", "/v2/reports/spending", { body }),
        ),
      );
      return carol!.status === 200 && alice!.text === carol!.text;
    },
  },
  traps: {
    "The `X-Tenant-Id` header is ignored": async (api) =>
      (await (await api.as("alice")).get("/v2/holidays", { "x-tenant-id": "castle" })).text.includes(
        "harbour",
      ),
  },
});
