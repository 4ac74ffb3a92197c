import { describe, expect, it } from "vitest";
import { anOperation, aResponse } from "../testing/samples.ts";
import type { BodyShape } from "../inventory/operation.ts";
import { postOfNoJson, reachOf, writeToNothing } from "./impossible-write.ts";

const json = (status: number, value: unknown) =>
  aResponse({ status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) ?? "" });
const missing = json(404, { error: "No such route" });

describe("how far a request got", () => {
  it.each([
    ["denied", 401, { error: "Unauthorized" }],
    ["denied", 403, {}],
    ["handler", 422, { error: "name must be a string" }],
    ["handler", 412, {}],
    ["handler", 204, undefined],
    ["weakly", 404, { message: "User 5 is unknown" }],
    ["unknown", 404, { error: "No such route" }],
    ["unknown", 405, {}],
    ["unknown", 500, {}],
  ] as const)("how far a request got is %s after a %i with %j", (reach, status, body) => {
    expect(reachOf(json(status, body), missing)).toBe(reach);
  });

  it("how far a request got is unknown when no path at all gets the same response", () => {
    const parser = json(400, { error: "Unexpected token" });
    expect(reachOf(parser, parser)).toBe("unknown");
  });
});

describe("a write of nothing to nothing", () => {
  const id = {
    name: "id",
    in: "path",
    required: true,
    type: "integer",
    sample: "1",
    sampleIsDeclared: false,
  } as const;
  const field = { path: "name", name: "name", type: "string", readOnly: false, required: true };
  const body: BodyShape = {
    mediaType: "application/json",
    required: true,
    sample: {},
    fields: [field],
    closed: false,
  };
  const on = (method: string, facts: object = {}) =>
    anOperation({ method, path: "/things/{id}", parameters: [id], ...facts });

  it("goes to an id that cannot exist, with a list and a precondition that never holds", () => {
    const request = writeToNothing(on("PATCH"), "PATCH")!;
    expect(request).toMatchObject({
      method: "PATCH",
      body: "[]",
      headers: { "if-match": expect.any(String) as string },
    });
    expect(Number(request.url.split("/").at(-1))).toBeGreaterThan(2_000_000_000 - 1);
  });

  it("a write of nothing to nothing has no body where it deletes", () => {
    expect(writeToNothing(on("DELETE"), "DELETE")).not.toHaveProperty("body");
  });

  it.each([
    ["a collection", anOperation({ method: "DELETE" }), "DELETE"],
    ["a PUT that may create anything that it is given", on("PUT"), "PUT"],
    ["an operation that takes lists", on("PATCH", { body: { ...body, sample: [] } }), "PATCH"],
  ] as const)("a write of nothing to nothing is not made for %s", (_, operation, method) => {
    expect(writeToNothing(operation, method)).toBeUndefined();
  });

  it("a write of nothing to nothing is made for a PUT that declares an object", () => {
    expect(writeToNothing(on("PUT", { body }), "PUT")).toMatchObject({ method: "PUT", body: "[]" });
  });
});

describe("a POST with an unknown effect", () => {
  const fields = ["age", "city"].map((name) => ({
    path: name,
    name,
    type: "string",
    readOnly: false,
    required: true,
  }));
  const body: BodyShape = {
    mediaType: "application/json",
    required: true,
    sample: { age: "30", city: "Bern" },
    fields,
    closed: false,
  };
  const post = (path: string, facts: object = {}) => anOperation({ method: "POST", path, body, ...facts });

  it.each(["/premium", "/v1/risk/score", "/vehicles/availability", "/geo/route"])(
    "%s is sent no JSON at first",
    (path) => {
      expect(postOfNoJson(post(path), [])).toMatchObject({ method: "POST", body: "{" });
    },
  );

  it.each<[string, ReturnType<typeof post>, ReturnType<typeof post>[]]>([
    ["a collection", post("/orders"), []],
    ["a collection by what lies below it", post("/staff"), [anOperation({ path: "/staff/{id}" })]],
    ["a resource that can be read", post("/profile"), [anOperation({ path: "/profile" })]],
    ["what acts by its path", post("/cart/checkout"), []],
    ["what acts by its operationId", post("/premium", { operationId: "bookPremium" }), []],
    ["what acts by its summary", post("/premium", { summary: "Sends an offer by mail" }), []],
    ["what destroys", post("/db/reset"), []],
    ["what may do without a body", post("/premium", { body: { ...body, required: false } }), []],
    ["what demands no member", post("/premium", { body: { ...body, fields: [] } }), []],
    ["another method", anOperation({ method: "PUT", path: "/premium", body }), []],
  ])("nothing is sent to %s", (_, operation, others) => {
    expect(postOfNoJson(operation, [operation, ...others])).toBeUndefined();
  });
});
