import { ok, text } from "../reply.ts";
import { type Route, idIn, weak } from "../route.ts";
import { staffOfOldVersion } from "./function-authorization.ts";

/** What is still there and should not be, and what should be there and is not. */
export const inventory: Route[] = [
  {
    method: "GET",
    path: "/v2/patients-export",
    access: "admin",
    operation: { summary: "Export patients as one file", tag: "Patients", deprecated: true },
    weaknesses: [
      weak("inventoryManagement", "A deprecated operation whose `Sunset` has passed still answers"),
    ],
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
    weaknesses: [weak("inventoryManagement", "The first version is in no document and still answers")],
    vulnerable: (_call, clinic) => ok({ patients: clinic.patients }),
  },
  {
    method: "GET",
    path: "/v1/staff",
    access: "user",
    weaknesses: [
      weak("inventoryManagement", "The first version is in no document and still answers"),
      weak("bflaAuthorization", "`/v2/staff` demands a token; `/v1/staff` gives the same without one"),
    ],
    vulnerable: () => ok({ staff: staffOfOldVersion }),
  },
  {
    method: "GET",
    path: "/v2/faxes/{faxId}",
    access: "user",
    operation: { summary: "Read a fax", tag: "Records", parameters: [idIn("faxId")] },
    weaknesses: [weak("inventoryManagement", "The document names an operation that does not exist")],
  },
  {
    method: "GET",
    path: "/v2/internal/debug",
    access: "admin",
    weaknesses: [weak("inventoryManagement", "A debug endpoint is in no document and answers anybody")],
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
        "A console to try the production API is open to all, and loads an old script from elsewhere",
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
