import { describe, expect, it } from "vitest";
import { anOperation } from "../testing/samples.ts";
import { documentedVersionOf, versionIn } from "./versions.ts";

describe("versionIn", () => {
  it.each([
    ["/v2/users", 2, "/v{}/users"],
    ["/api/V1/users/{id}", 1, "/api/v{}/users/{}"],
    ["/v1.1/users", 1, "/v{}/users"],
    ["/v3", 3, "/v{}"],
  ])("finds the version of %s", (path, number, rest) => {
    expect(versionIn(path)).toEqual({ number, rest });
  });

  it.each(["/users", "/video/1", "/v/1", "/v2024-01/users"])("finds none in %s", (path) => {
    expect(versionIn(path)).toBeUndefined();
  });
});

describe("documentedVersionOf", () => {
  const v1 = anOperation({ path: "/v1/users/{userId}", source: "discovered" });
  const v2 = anOperation({ base: "/v2", path: "/users/{id}" });
  const v3 = anOperation({ base: "/v3", path: "/users/{id}" });

  it("documentedVersionOf is the newest version of the same path that the document names", () => {
    expect(documentedVersionOf(v1, [v1, v2, v3])).toBe(v3);
  });

  it("documentedVersionOf is nothing for what the document names, nor where it names no other version", () => {
    expect(documentedVersionOf(v2, [v2, v3])).toBeUndefined();
    expect(documentedVersionOf(v1, [v1])).toBeUndefined();
    expect(documentedVersionOf(v1, [anOperation({ path: "/v2/orders" })])).toBeUndefined();
  });
});
