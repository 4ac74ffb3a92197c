import type { ShopApi } from "../testing/shop-api.ts";
import { testShop } from "../testing/shop-tests.ts";
import { administration } from "./administration.ts";

const statusOf = async (api: ShopApi, path: string) => (await (await api.as("bob")).get(path)).status;

testShop("administration", administration, {
  weaknesses: {
    "Any user can read the audit log": async (api) =>
      (await statusOf(api, "/v2/admin/audit")) === 200 &&
      (await api.anonymous.get("/v2/admin/audit")).status === 401,
    "Listing coupons requires the administrator, creating one does not": async (api) => {
      const bob = await api.as("bob");
      const statuses = await Promise.all(
        [{}, { code: "FREE", percent: 90 }].map((body) => bob.send("POST", "/v2/admin/coupons", { body })),
      );
      const created = statuses.map(({ status }) => status).join() === "400,201";
      return created && (await bob.get("/v2/admin/coupons")).status === 403;
    },
    "The previous version of the list of users is open to any user": async (api) =>
      (await statusOf(api, "/v2/admin/users")) === 403 && (await statusOf(api, "/v1/admin/users")) === 200,
    "Any user can make users administrators": async (api) => {
      const bob = await api.as("bob");
      const id = String(await bob.read("/v2/me", "id"));
      await bob.send("PUT", `/v2/admin/users/${id}/role`, { body: { role: "admin" } });
      return (await bob.read("/v2/me", "role")) === "admin";
    },
    "An undocumented export of all orders is open to any user": async (api) =>
      (await statusOf(api, "/v2/admin/orders")) === 403 &&
      (await statusOf(api, "/v2/admin/orders/export")) === 200,
  },
  traps: {
    "Users get a denial with status 200": async (api) => {
      const [bob, admin] = await Promise.all(
        (["bob", "admin"] as const).map(async (name) => (await api.as(name)).get("/v2/admin/metrics")),
      );
      return bob!.status === 200 && bob!.text.includes("Access denied") && admin!.text.includes("orders");
    },
  },
});
