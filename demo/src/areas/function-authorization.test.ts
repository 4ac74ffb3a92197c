import { testContrast } from "../testing/contrast.ts";
import { functionAuthorization } from "./function-authorization.ts";

testContrast("function authorization", functionAuthorization, {
  "An administrator's operation answers anybody": async (api) =>
    (await api.get("/v2/admin/users")).status === 200,
  "The 401 is passed by naming the path in `X-Original-URL` of another request": async (api) =>
    (await api.get("/v2/admin/audit")).status === 401 &&
    (await api.get("/", { "x-original-url": "/v2/admin/audit" })).text.includes('"audit"'),
  "The 401 is passed by `X-Forwarded-For: 127.0.0.1`": async (api) =>
    (await api.get("/v2/admin/audit", { "x-forwarded-for": "127.0.0.1" })).status === 200,
  "The 403 is passed by `X-Role: admin` or `?admin=true`": async (api) =>
    (await api.get("/v2/admin/settings", { "x-role": "admin" })).status === 200 &&
    (await api.get("/v2/admin/settings?admin=true")).status === 200,
  "`X-HTTP-Method-Override` turns this read into any other method": async (api) =>
    (await api.get("/v2/invoices/0")).status === 401 &&
    (await api.get("/v2/invoices/0", { "x-http-method-override": "DELETE" })).status === 404,
  "`Allow` names a DELETE that the document does not, and it asks for no token": async (api) => {
    const { headers } = await api.send("OPTIONS", "/v2/invoices/0");
    const { status } = await api.send("DELETE", "/v2/invoices/0");
    return Boolean(headers.allow?.includes("DELETE")) && status === 404;
  },
  "The form is judged before the caller: 422 where others get 401": async (api) =>
    (await api.send("POST", "/v2/appointments", { body: { at: 1 } })).status === 422,
});
