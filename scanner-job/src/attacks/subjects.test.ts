import { describe, expect, it } from "vitest";
import { anOperation, aTargetProfile } from "../testing/samples.ts";
import { guardedReads, spread } from "./subjects.ts";

const paths = (operations: readonly { facts: { path: string } }[]) =>
  operations.map(({ facts }) => facts.path);

describe("operations spread over an API", () => {
  it("come from every area before any area gives a second", () => {
    const operations = ["/users", "/users/{id}", "/users/{id}/pets", "/orders", "/orders/{id}"].map((path) =>
      anOperation({ path }),
    );
    expect(paths(spread(operations))).toEqual([
      "/users",
      "/orders",
      "/users/{id}",
      "/orders/{id}",
      "/users/{id}/pets",
    ]);
  });

  it("operations spread over an API are not taken to be one area by the version that all their paths begin with", () => {
    const operations = ["/v2/users", "/v2/users/{id}", "/v2/orders"].map((path) => anOperation({ path }));
    expect(paths(spread(operations))).toEqual(["/v2/users", "/v2/orders", "/v2/users/{id}"]);
  });

  it("operations spread over an API are none when there are none", () => {
    expect(spread([])).toEqual([]);
  });
});

describe("reads that may require credentials", () => {
  it("reads that may require credentials are those that declare credentials, then those without a declaration, and none that is public or writes", () => {
    const operations = [
      anOperation({ path: "/silent" }),
      anOperation({ path: "/public", security: "none" }),
      anOperation({ path: "/either", security: "optional" }),
      anOperation({ path: "/secret", security: "required" }),
      anOperation({ path: "/write", security: "required", method: "POST" }),
    ];
    expect(paths(guardedReads(aTargetProfile({ operations })))).toEqual(["/secret", "/silent"]);
  });
});
