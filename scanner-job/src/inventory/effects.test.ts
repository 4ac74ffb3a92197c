import { expect, it } from "vitest";
import { declaredEffect, isDestructive, isDryRun, isPostedRead, isPreview } from "./effects.ts";

it.each([
  ["GET", "/createdb"],
  ["GET", "/api/db/reset"],
  ["POST", "/admin/cache/clear"],
  ["GET", "/v1/database-reset"],
  ["POST", "/logout"],
  ["GET", "/auth/sign-out"],
  ["GET", "/users/{id}/deleteAll"],
  ["POST", "/system/shutdown"],
  ["DELETE", "/sessions/reset"],
  ["GET", "/auth/logoff"],
  ["GET", "/connect/endsession"],
  ["POST", "/session/end"],
  ["POST", "/oauth/revoke"],
  ["DELETE", "/session"],
  ["DELETE", "/sessions/current"],
  ["DELETE", "/me"],
  ["DELETE", "/v1/users/me/"],
  ["DELETE", "/my-account"],
  ["POST", "/account/close"],
  ["POST", "/close-account"],
  ["POST", "/users/me/deactivate"],
  ["POST", "/account/unregister"],
])("%s %s is never called", (method, path) => expect(isDestructive({ method, path })).toBe(true));

it.each([
  ["GET", "/maintenance", { summary: "Drops and recreates the database" }],
  ["GET", "/maintenance", { operationId: "resetDatabase" }],
  ["GET", "/demo", { summary: "Creates and populates the database with dummy data." }],
  ["POST", "/all", { summary: "Deletes all users" }],
  ["GET", "/session", { operationId: "AuthController_logout" }],
  ["POST", "/goodbye", { summary: "Close your account" }],
  ["POST", "/goodbye", { operationId: "closeUserAccount" }],
  ["POST", "/exit", { summary: "Ends the current session" }],
] as const)("%s %s with %o is never called", (method, path, facts) =>
  expect(isDestructive({ method, path, ...facts })).toBe(true),
);

it.each([
  ["GET", "/users", { summary: "List all users" }],
  ["DELETE", "/users/{id}", { operationId: "deleteUser", summary: "Delete a user" }],
  ["POST", "/users/reset-password", { summary: "Reset a forgotten password" }],
  ["GET", "/stop/{stopId}/departures", {}],
  ["GET", "/stops", {}],
  ["GET", "/me", {}],
  ["PATCH", "/account", {}],
  ["POST", "/session", { summary: "Starts a session" }],
  ["DELETE", "/profiles/{id}", {}],
  ["POST", "/accounts/{id}/close", { summary: "Closes a bank account for good" }],
  ["GET", "/weekends/sessions", {}],
  ["GET", "/deleted-items", {}],
  ["GET", "/settings", { operationId: "getSettings" }],
  ["POST", "/preview", { summary: "Shows the letter without deleting all data" }],
] as const)("%s %s with %o may be called", (method, path, facts) =>
  expect(isDestructive({ method, path, ...facts })).toBe(false),
);

it.each([
  ["POST", "/products/search", undefined, true],
  ["POST", "/query", undefined, true],
  ["POST", "/users/{id}/filter", undefined, true],
  ["POST", "/orders", "searchOrders", true],
  ["POST", "/produkte/suche", undefined, true],
  ["POST", "/productos/buscar", undefined, true],
  ["POST", "/addresses/geocode", undefined, true],
  ["POST", "/orders", "createOrder", false],
  ["POST", "/searches", "createSearch", false],
  ["POST", "/searches", undefined, false],
  ["POST", "/matches", undefined, false],
  ["GET", "/search", undefined, false],
])("%s %s (%s) reads by POST: %s", (method, path, operationId, expected) =>
  expect(isPostedRead({ method, path, ...(operationId === undefined ? {} : { operationId }) })).toBe(
    expected,
  ),
);

it.each([
  ["/letters/preview", undefined, true],
  ["/webhooks/test", undefined, true],
  ["/links", "fetchLink", true],
  ["/images/{id}/render", undefined, true],
  ["/tests", "createTest", false],
  ["/verify", "sendVerification", false],
  ["/previews/new", undefined, false],
  ["/users", "addUser", false],
])("%s (%s) keeps nothing: %s", (path, operationId, expected) => {
  expect(isDryRun({ path, ...(operationId === undefined ? {} : { operationId }) })).toBe(expected);
});

it.each([
  ["/letters/preview", true],
  ["/orders/validate", true],
  ["/laboratory/test", false],
  ["/accounts/verify", false],
])("%s only computes: %s", (path, expected) => expect(isPreview({ path })).toBe(expected));

const spec = { method: "POST", source: "spec" } as const;
it.each<[string, Parameters<typeof declaredEffect>[0], string]>([
  ["a search of a document", { ...spec, path: "/search" }, "reads"],
  ["a search by its operationId", { ...spec, path: "/orders", operationId: "searchOrders" }, "reads"],
  ["a search that no document describes", { ...spec, path: "/search", source: "discovered" }, "unknown"],
  [
    "a search that makes something",
    { ...spec, path: "/search", responses: [{ status: "201", fields: [] }] },
    "unknown",
  ],
  [
    "a search that is saved",
    { ...spec, path: "/search", summary: "Creates a search and saves it" },
    "unknown",
  ],
  ["a validation of a registration", { ...spec, path: "/register/validate" }, "unknown"],
  ["a fetch of a document", { ...spec, path: "/pages/fetch" }, "looks"],
  ["a query of GraphQL", { ...spec, path: "/g", graphqlField: "books", source: "discovered" }, "reads"],
  [
    "a mutation of GraphQL",
    { ...spec, path: "/g", graphqlField: "addBook", graphqlMutation: true },
    "unknown",
  ],
  [
    "a read of a SOAP service",
    { ...spec, path: "/ws", soapOperation: "GetTeas", source: "discovered" },
    "reads",
  ],
  ["a change of a SOAP service", { ...spec, path: "/ws", soapOperation: "AddTea" }, "unknown"],
  ["an import", { ...spec, path: "/import" }, "unknown"],
  ["a collection", { ...spec, path: "/orders" }, "unknown"],
])("the declared effect of %s", (_, facts, effect) => expect(declaredEffect(facts)).toBe(effect));
