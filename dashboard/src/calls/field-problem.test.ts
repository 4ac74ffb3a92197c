import { expect, test } from "vitest";
import { fieldProblem } from "./field-problem.ts";

const refused = {
  message: "Reworded.",
  data: { fields: { name: ["too long"], "identities.0.headers.Host": ["is set by the scanner itself"] } },
};

test.each([
  [refused, "name", "too long"],
  [refused, "identities", "identities.0.headers.Host: is set by the scanner itself"],
  [refused, "identity", undefined],
  [refused, "url", undefined],
  [{ data: {} }, "name", undefined],
  [{ data: null }, "name", undefined],
  [null, "name", undefined],
])("of the error %j, the field %s shows %s, regardless of its message", (error, field, problem) => {
  expect(fieldProblem(error, field)).toBe(problem);
});
