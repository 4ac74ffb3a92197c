import { regexpSteps } from "@glovebox/domain/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OF_FRAMEWORKS } from "../testing/refusals/frameworks.ts";
import { OF_NODE } from "../testing/refusals/node.ts";
import { validationErrors, type ValidationError } from "./validation-errors.ts";

/** `body name missing`, `query limit invalid {"minimum":1}`; `?` where the location is unknown. */
const labelOf = ({ field, location, problem, schema }: ValidationError): string =>
  [location ?? "?", field, problem, ...(Object.keys(schema).length > 0 ? [JSON.stringify(schema)] : [])].join(
    " ",
  );

/** The most for a character: a message is cut to 500, and each may begin the name of a field. */
const STEPS = 5_000;

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

  const word = fc.constantFrom(
    ...["msg", "message", "path", "loc", "code", "errors", "required", "between 1 and "],
    ...["must be one of [", "a, b", "'".repeat(300)],
  );
  const words = fc.array(word, { maxLength: 40 }).map((all) => all.join(" "));
  const text = fc.oneof(word, fc.string(), words);
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      text,
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(tie("any")),
      fc.dictionary(text, tie("any")),
    ),
  })).any;

  it("names a field in each error of any response, and never throws", () => {
    fc.assert(
      fc.property(value, (body) => {
        for (const { field } of validationErrors(body)) expect(field).not.toBe("");
      }),
      { numRuns: 300 },
    );
  });

  it("takes a bounded number of steps for each character of any message", () => {
    fc.assert(
      fc.property(words, (message) => {
        expect(regexpSteps(() => validationErrors({ message }))).toBeLessThan(STEPS * (message.length + 1));
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    "a ".repeat(250),
    "'a', ".repeat(100),
    "must be one of ".repeat(35),
    "missing the ".repeat(40),
    "1 and ".repeat(80),
  ])("takes a bounded number of steps for each character of %j", (text) => {
    expect(regexpSteps(() => validationErrors({ message: text }))).toBeLessThan(STEPS * text.length);
  });
});
