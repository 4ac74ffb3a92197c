import { testWeaknesses } from "../testing/weaknesses.ts";
import { functionAuthorization } from "./function-authorization.ts";

testWeaknesses("function authorization", functionAuthorization, {
  "An administrative operation requires no credentials": async (api) =>
    (await api.get("/v2/admin/users")).status === 200,
  "The 401 is bypassed with the path in the `X-Original-URL` header of another request": async (api) =>
    (await api.get("/v2/admin/audit")).status === 401 &&
    (await api.get("/", { "x-original-url": "/v2/admin/audit" })).text.includes('"audit"'),
  "The 401 is bypassed with `X-Forwarded-For: 127.0.0.1`": async (api) =>
    (await api.get("/v2/admin/audit", { "x-forwarded-for": "127.0.0.1" })).status === 200,
  "The 403 is bypassed with `X-Role: admin` or `?admin=true`": async (api) =>
    (await api.get("/v2/admin/settings", { "x-role": "admin" })).status === 200 &&
    (await api.get("/v2/admin/settings?admin=true")).status === 200,
  "`X-HTTP-Method-Override` replaces the method of a request": async (api) =>
    (await api.get("/v2/invoices/0")).status === 401 &&
    (await api.get("/v2/invoices/0", { "x-http-method-override": "DELETE" })).status === 404,
  "An undocumented DELETE, which `Allow` lists, requires no token": async (api) => {
    const { headers } = await api.send("OPTIONS", "/v2/invoices/0");
    const { status } = await api.send("DELETE", "/v2/invoices/0");
    return Boolean(headers.allow?.includes("DELETE")) && status === 404;
  },
  "The body is validated before authentication: 422 instead of 401": async (api) =>
    (await api.send("POST", "/v2/appointments", { body: { at: 1 } })).status === 422,
});
