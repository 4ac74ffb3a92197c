import fc from "fast-check";
import { MALFORMED } from "../transport/exchange.ts";
import { describe, expect, it } from "vitest";
import { anOperation } from "../testing/samples.ts";
import { corrected } from "./corrections.ts";
import type { Parameter, RequestChanges } from "./operation.ts";
import { validationErrors, type ValidationError } from "./validation-errors.ts";

const parameter = (name: string, location: Parameter["in"], parts: Partial<Parameter> = {}): Parameter => ({
  name,
  in: location,
  required: false,
  type: "string",
  sample: "test",
  sampleIsDeclared: false,
  ...parts,
});
const field = (path: string, type: string) => ({
  path,
  name: path.split(".").at(-1)!,
  type,
  readOnly: false,
  required: false,
});
const search = anOperation({
  method: "POST",
  path: "/search",
  parameters: [parameter("page", "query", { type: "integer" }), parameter("X-Tenant", "header")],
  body: {
    mediaType: "application/json",
    required: true,
    sample: { term: "test", where: { kind: "x" } },
    fields: [
      field("term", "string"),
      field("where", "object"),
      field("where.kind", "string"),
      field("where.size", "integer"),
    ],
    closed: false,
  },
});

const error = (field: string, parts: Partial<ValidationError> = {}): ValidationError => ({
  field,
  problem: "invalid",
  schema: {},
  ...parts,
});
const after = (errors: ValidationError[], seen: Record<string, string> = {}): RequestChanges | undefined =>
  corrected(search, {}, { errors, seen: ({ name }) => seen[name] });

describe("a request is corrected", () => {
  it.each<[string, ValidationError, RequestChanges]>([
    [
      "by a member that is missing",
      error("city", { problem: "missing" }),
      { content: { term: "test", where: { kind: "x" }, city: "test" } },
    ],
    [
      "by one of the values that are allowed, inside an object",
      error("where.kind", { schema: { enum: ["a", "b"] } }),
      { content: { term: "test", where: { kind: "a" } } },
    ],
    [
      "by a number within its bounds, in the type that the document gives",
      error("size", { schema: { minimum: 5, maximum: 9 } }),
      { content: { term: "test", where: { kind: "x", size: 5 } } },
    ],
    [
      "by a length",
      error("term", { schema: { minLength: 6 } }),
      { content: { term: "testte", where: { kind: "x" } } },
    ],
    [
      "without a member that is not allowed",
      error("where", { problem: "unknown" }),
      { content: { term: "test" } },
    ],
    [
      "by a parameter of the query",
      error("page", { location: "query", problem: "missing" }),
      { query: { page: "1" } },
    ],
    [
      "by a header of the document",
      error("x-tenant", { location: "header", problem: "missing" }),
      { headers: { "x-tenant": "test" } },
    ],
  ])("%s", (_, error, changes) => {
    expect(after([error])).toMatchObject(changes);
  });

  it("a request is corrected by what other responses showed before what is made up", () => {
    expect(after([error("city", { problem: "missing" })], { city: "Bern" })).toMatchObject({
      content: { city: "Bern" },
    });
  });

  it.each(["host", "authorization", "transfer-encoding", "cookie", "x bad"])(
    "never by the header %s",
    (name) => {
      expect(after([error(name, { location: "header", problem: "missing" })])).toBeUndefined();
    },
  );

  it("a request is corrected in no way where nothing is demanded", () => expect(after([])).toBeUndefined());

  it("a request is corrected without an exception, for any validation error", () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom("__proto__", "a.__proto__.b", "where.kind.x.y", "constructor", "a[].b[]", "."),
    );
    const body = fc.array(
      fc.record({
        path: name,
        msg: fc.constantFrom("is required", "must be one of [a, b]", "must be >= 5", "is not allowed"),
      }),
    );
    fc.assert(
      fc.property(body, (errors) => {
        const changes = after(validationErrors({ errors }));
        expect(() => search.request({ ...changes, form: MALFORMED })).not.toThrow();
        expect(Object.hasOwn(Object.prototype, "b")).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
