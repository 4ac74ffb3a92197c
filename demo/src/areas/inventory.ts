import { ok, text } from "../response.ts";
import { type Route, idIn, weak } from "../route.ts";
import { staffOfPreviousVersion } from "./function-authorization.ts";

/** Weaknesses of inventory management: undocumented, deprecated and missing operations. */
export const inventory: Route[] = [
  {
    method: "GET",
    path: "/v2/patients-export",
    access: "admin",
    operation: { summary: "Export patients as one file", tag: "Patients", deprecated: true },
    weaknesses: [weak("inventoryManagement", "A deprecated operation is available after its `Sunset` date")],
    vulnerable: (_call, clinic) =>
      ok(
        { patients: clinic.patients.map(({ id, name }) => ({ id, name })) },
        { deprecation: "@1704067200", sunset: "Mon, 01 Jul 2024 00:00:00 GMT" },
      ),
  },
  {
    method: "GET",
    path: "/v1/patients",
    access: "user",
    weaknesses: [
      weak("inventoryManagement", "The previous version of the API is undocumented and still available"),
    ],
    vulnerable: (_call, clinic) => ok({ patients: clinic.patients }),
  },
  {
    method: "GET",
    path: "/v1/staff",
    access: "user",
    weaknesses: [
      weak("inventoryManagement", "The previous version of the API is undocumented and still available"),
      weak(
        "bflaAuthorization",
        "`/v2/staff` requires a token, `/v1/staff` returns the same data without one",
      ),
    ],
    vulnerable: () => ok({ staff: staffOfPreviousVersion }),
  },
  {
    method: "GET",
    path: "/v2/faxes/{faxId}",
    access: "user",
    operation: { summary: "Read a fax", tag: "Records", parameters: [idIn("faxId")] },
    weaknesses: [
      weak("inventoryManagement", "The OpenAPI document contains an operation that does not exist"),
    ],
  },
  {
    method: "GET",
    path: "/v2/internal/debug",
    access: "admin",
    weaknesses: [weak("inventoryManagement", "An undocumented debug endpoint requires no credentials")],
    vulnerable: (_call, clinic) =>
      ok({ build: "2019-03-04", uptime: 86_400, accounts: clinic.accounts.length }),
  },
  {
    method: "GET",
    path: "/docs",
    access: "public",
    weaknesses: [
      weak(
        "inventoryManagement",
        "A public console for the production API loads an outdated third-party script",
      ),
    ],
    vulnerable: () =>
      text(
        200,
        "text/html; charset=utf-8",
        '<!doctype html><title>Swagger UI</title><div id="swagger-ui"></div><script src="https://cdn.larkfield.test/swagger-ui-dist@3.20.0/swagger-ui-bundle.js"></script><script>SwaggerUIBundle({ url: "/openapi.json", dom_id: "#swagger-ui" })</script>',
      ),
  },
];
