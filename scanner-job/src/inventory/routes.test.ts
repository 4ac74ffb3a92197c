import { expect, it } from "vitest";
import { anOperation } from "../testing/samples.ts";
import { Routes } from "./routes.ts";

const known = [
  anOperation({ path: "/users/{id}" }),
  anOperation({ path: "/users/me" }),
  anOperation({ method: "POST", path: "/users" }),
];
const at = (method: string, path: string) => ({ method, url: `https://api.example${path}` });

it.each([
  ["an operation with a parameter", at("GET", "/users/7?full=1"), "GET /users/{id}"],
  ["the operation without parameters before one with them", at("GET", "/users/me"), "GET /users/me"],
  ["the path where no operation has the method", at("DELETE", "/users/7"), "DELETE /users/7"],
  ["the path where no operation is known", at("GET", "/else?x=1"), "GET /else"],
])("the route of a request is %s", (_, request, route) => {
  const routes = new Routes(known);
  expect(routes.of(request)).toBe(route);
});

it("operations that are found later have routes too", () => {
  const operations = [...known];
  const routes = new Routes(operations);
  expect(routes.of(at("GET", "/rooms/7"))).toBe("GET /rooms/7");
  operations.push(anOperation({ path: "/rooms/{id}" }));
  expect(routes.of(at("GET", "/rooms/7"))).toBe("GET /rooms/{id}");
});
