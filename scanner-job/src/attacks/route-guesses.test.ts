import { expect, it } from "vitest";
import { anOperation, aTargetProfile } from "../testing/samples.ts";
import { isDestructive } from "../inventory/effects.ts";
import { prefixesOf, routeGuesses } from "./route-guesses.ts";

const operations = [
  anOperation({ path: "/api/v1/users/{id}" }),
  anOperation({ path: "/api/v1/orders" }),
  anOperation({ path: "/health" }),
];
const paths = routeGuesses(aTargetProfile({ operations })).flatMap((guesses) => guesses.paths);

it("begins with what the vocabulary of the API leaves out", () => {
  expect(paths[0]).toBe("/api/v1/users");
  expect(paths).toContain("/api/v1/orders/export");
});

it("tries the resources of a version for other callers", () => {
  expect(paths).toEqual(expect.arrayContaining(["/api/internal/users", "/api/v1/admin/orders"]));
  const without = routeGuesses(aTargetProfile({ operations: [anOperation({ path: "/shop/orders" })] }));
  expect(without.filter(({ location }) => location.parameter?.startsWith("audiences"))).toEqual([]);
});

it("tries names where most operations are first", () => {
  expect(prefixesOf(operations, new URL("https://api.example/shop/"))).toEqual([
    "/api/v1",
    "/shop",
    "",
    "/api",
  ]);
  expect(paths.indexOf("/api/v1/debug")).toBeLessThan(paths.indexOf("/api/debug"));
});

it("requests nothing that is known or destructive", () => {
  expect(paths).not.toContain("/api/v1/orders");
  expect(paths).not.toContain("/health");
  expect(paths.filter((path) => isDestructive({ method: "GET", path }))).toEqual([]);
});

it("takes no name for a route that is the id of an object", () => {
  const name = {
    name: "name",
    in: "path",
    required: true,
    type: "string",
    sample: "a",
    sampleIsDeclared: false,
  } as const;
  const users = anOperation({ path: "/users/{name}", parameters: [name] });
  const orders = anOperation({
    path: "/orders/{id}",
    parameters: [{ ...name, name: "id", type: "integer" }],
  });
  const guesses = routeGuesses(aTargetProfile({ operations: [users, orders] })).flatMap(
    (batch) => batch.paths,
  );
  expect(guesses).not.toContain("/users/admin");
  expect(guesses).toContain("/orders/admin");
});

it("distinguishes batches by their positions", () => {
  const locations = routeGuesses(aTargetProfile({ operations })).map(({ location }) =>
    JSON.stringify(location),
  );
  expect(new Set(locations).size).toBe(locations.length);
});
