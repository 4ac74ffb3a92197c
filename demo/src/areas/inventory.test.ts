import { testWeaknesses } from "../testing/weaknesses.ts";
import { inventory } from "./inventory.ts";

testWeaknesses("inventory", inventory, {
  "A deprecated operation is available after its `Sunset` date": async (api) => {
    const { status, headers } = await api.get("/v2/patients-export");
    return status === 200 && headers.sunset !== undefined;
  },
  "The previous version of the API is undocumented and still available": async (api) =>
    (await api.get("/v1/patients")).status === 200 &&
    !(await api.get("/openapi.json")).text.includes("/v1/patients"),
  "`/v2/staff` requires a token, `/v1/staff` returns the same data without one": async (api) =>
    (await api.get("/v2/staff")).status === 401 && (await api.get("/v1/staff")).text.includes('"rota"'),
  "The OpenAPI document contains an operation that does not exist": async (api) =>
    (await api.get("/openapi.json")).text.includes("/v2/faxes/{faxId}") &&
    (await api.get("/v2/faxes/1001")).status === 404,
  "An undocumented debug endpoint requires no credentials": async (api) =>
    (await api.get("/v2/internal/debug")).status === 200,
  "A public console for the production API loads an outdated third-party script": async (api) =>
    (await api.get("/docs")).text.includes("swagger-ui-dist@3.20.0"),
});
