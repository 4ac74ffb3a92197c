import { forbidden, notFound, objectIn, ok } from "../../response.ts";
import type { Parameter, RouteResponse } from "../../route.ts";
import { idIn } from "../collection.ts";
import { findById, only } from "../rows.ts";
import { type ShopCall, type ShopRoute, TEXT, objectOf, weakness } from "../route.ts";
import type { Shop } from "../shop.ts";

const TENANT = { type: "string", maxLength: 40 };
const maySelect = (call: ShopCall, tenant: string): boolean =>
  tenant === call.user.tenant || call.user.role === "admin";

const TENANT_HEADER: Parameter = { name: "X-Tenant-Id", in: "header", schema: TENANT };
const FIELDS = ["id", "name", "taxNumber"];

/** Data of companies: a caller may not choose another one than its own. */
export const tenants: ShopRoute[] = [
  {
    method: "GET",
    path: "/v2/company",
    access: "user",
    operation: { summary: "Read the company", tag: "Company", parameters: [TENANT_HEADER] },
    weaknesses: [weakness("bolaAuthorization", "tenant", "The `X-Tenant-Id` header selects any company")],
    vulnerable: (call, shop) => company(shop, String(call.headers["x-tenant-id"] ?? call.user.tenant)),
    hardened: (call, shop) => company(shop, call.user.tenant),
  },
  {
    method: "GET",
    path: "/v2/tenants/{tenantId}/contracts",
    access: "user",
    operation: {
      summary: "List the contracts of a company",
      tag: "Company",
      parameters: [idIn("tenantId", TENANT)],
    },
    weaknesses: [weakness("bolaAuthorization", "tenant", "`tenantId` in the path selects any company")],
    vulnerable: (call, shop) => contracts(shop, call.params["tenantId"]!),
    hardened: (call, shop) =>
      maySelect(call, call.params["tenantId"]!) ? contracts(shop, call.params["tenantId"]!) : notFound(),
  },
  {
    method: "GET",
    path: "/v2/suppliers",
    access: "user",
    operation: {
      summary: "List suppliers",
      tag: "Company",
      parameters: [{ name: "tenantId", in: "query", schema: TENANT }],
    },
    weaknesses: [weakness("bolaAuthorization", "tenant", "`tenantId` in the query selects any company")],
    vulnerable: (call, shop) => suppliers(shop, tenantIn(call)),
    hardened: (call, shop) =>
      maySelect(call, tenantIn(call)) ? suppliers(shop, tenantIn(call)) : forbidden(),
  },
  {
    method: "POST",
    path: "/v2/reports/spending",
    access: "user",
    operation: {
      summary: "Compute the spending of a month",
      tag: "Company",
      body: objectOf({ tenantId: TENANT, month: TEXT }),
    },
    weaknesses: [weakness("bolaAuthorization", "tenant", "`tenantId` in the body selects any company")],
    vulnerable: (call, shop) => spending(call, shop),
    hardened: (call, shop) =>
      maySelect(call, String(objectIn(call)["tenantId"])) ? spending(call, shop) : forbidden(),
  },
  {
    method: "GET",
    path: "/v2/holidays",
    access: "user",
    operation: { summary: "List the holidays of the company", tag: "Company", parameters: [TENANT_HEADER] },
    weaknesses: [],
    traps: ["The `X-Tenant-Id` header is ignored"],
    vulnerable: holidays,
    hardened: holidays,
  },
];

function holidays(call: ShopCall): RouteResponse {
  return ok({
    tenantId: call.user.tenant,
    closed: ["12-25", call.user.tenant.length % 2 ? "03-01" : "05-02"],
  });
}

function company({ tables }: Shop, tenant: string): RouteResponse {
  const row = findById(tables.companies, tenant);
  return row ? ok(only(row, FIELDS)) : notFound();
}

const tenantIn = (call: ShopCall): string => call.query.get("tenantId") ?? call.user.tenant;

function suppliers({ tables }: Shop, tenant: string): RouteResponse {
  return ok({ suppliers: tables.suppliers.filter((row) => row.tenant === tenant) });
}

function contracts({ tables }: Shop, tenant: string): RouteResponse {
  const rows = tables.contracts.filter((row) => row.tenant === tenant);
  return rows.length > 0 ? ok({ contracts: rows }) : notFound();
}

function spending(call: ShopCall, { tables }: Shop): RouteResponse {
  const { tenantId, month } = objectIn(call);
  const row = findById(tables.companies, tenantId);
  return row ? ok({ ...only(row, ["id", "spending"]), month }) : notFound();
}
