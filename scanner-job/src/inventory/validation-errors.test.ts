import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OF_FRAMEWORKS } from "../testing/refusals/frameworks.ts";
import { OF_NODE } from "../testing/refusals/node.ts";
import { validationErrors, type ValidationError } from "./validation-errors.ts";

/** `body name missing`, `query limit invalid {"minimum":1}`; `?` where the place is unknown. */
const labelOf = ({ field, place, problem, schema }: ValidationError): string =>
  [place ?? "?", field, problem, ...(Object.keys(schema).length > 0 ? [JSON.stringify(schema)] : [])].join(
    " ",
  );

describe("validationErrors", () => {
  it.each([...OF_FRAMEWORKS, ...OF_NODE])("reads %s", (_, body, errors) => {
    expect(validationErrors(body).map(labelOf)).toEqual(errors);
  });

  it.each<[string, unknown]>([
    ["a missing object", { error: "User not found" }],
    ["a demand for credentials", { message: "Authentication credentials were not provided." }],
    ["a fault", { error: "Internal Server Error", message: "Cannot read properties of undefined" }],
    ["a success", { id: 1, name: "Ada", type: "user" }],
    ["nothing", undefined],
  ])("reads nothing out of %s", (_, body) => {
    expect(validationErrors(body)).toEqual([]);
  });

  it("never throws, and is fast, for any answer", () => {
    const word = fc.constantFrom(
      "msg",
      "message",
      "path",
      "loc",
      "code",
      "errors",
      "required",
      "must be one of [",
      "a, b",
      "'".repeat(300),
      "between 1 and ",
    );
    const text = fc.oneof(
      word,
      fc.string(),
      fc.array(word, { maxLength: 40 }).map((words) => words.join(" ")),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        text,
        fc.jsonValue({ maxDepth: 2 }),
        fc.array(tie("any")),
        fc.dictionary(text, tie("any")),
      ),
    })).any;
    fc.assert(
      fc.property(value, (body) => {
        const started = performance.now();
        for (const { field } of validationErrors(body)) expect(field).not.toBe("");
        expect(performance.now() - started).toBeLessThan(1_000);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    "a ".repeat(250),
    "'a', ".repeat(100),
    "must be one of ".repeat(35),
    "missing the ".repeat(40),
    "1 and ".repeat(80),
  ])("reads %j in a moment", (text) => {
    const started = performance.now();
    for (let times = 0; times < 100; times += 1) validationErrors({ message: text });
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});
