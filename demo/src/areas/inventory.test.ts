import { testContrast } from "../testing/contrast.ts";
import { inventory } from "./inventory.ts";

testContrast("inventory", inventory, {
  "A deprecated operation whose `Sunset` has passed still answers": async (api) => {
    const { status, headers } = await api.get("/v2/patients-export");
    return status === 200 && headers.sunset !== undefined;
  },
  "The first version is in no document and still answers": async (api) =>
    (await api.get("/v1/patients")).status === 200 &&
    !(await api.get("/openapi.json")).text.includes("/v1/patients"),
  "`/v2/staff` demands a token; `/v1/staff` gives the same without one": async (api) =>
    (await api.get("/v2/staff")).status === 401 && (await api.get("/v1/staff")).text.includes('"rota"'),
  "The document names an operation that does not exist": async (api) =>
    (await api.get("/openapi.json")).text.includes("/v2/faxes/{faxId}") &&
    (await api.get("/v2/faxes/1001")).status === 404,
  "A debug endpoint is in no document and answers anybody": async (api) =>
    (await api.get("/v2/internal/debug")).status === 200,
  "A console to try the production API is open to all, and loads an old script from elsewhere": async (api) =>
    (await api.get("/docs")).text.includes("swagger-ui-dist@3.20.0"),
});
