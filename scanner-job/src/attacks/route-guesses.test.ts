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

it("tries names where most operations are first", () => {
  expect(prefixesOf(operations, new URL("https://api.example/shop/"))).toEqual([
    "/api/v1",
    "/shop",
    "",
    "/api",
  ]);
  expect(paths.indexOf("/api/v1/debug")).toBeLessThan(paths.indexOf("/api/debug"));
});

it("asks for nothing that is known or destroys", () => {
  expect(paths).not.toContain("/api/v1/orders");
  expect(paths).not.toContain("/health");
  expect(paths.filter((path) => isDestructive({ method: "GET", path }))).toEqual([]);
});

it("tells batches apart by their places", () => {
  const places = routeGuesses(aTargetProfile({ operations })).map(({ location }) => JSON.stringify(location));
  expect(new Set(places).size).toBe(places.length);
});
