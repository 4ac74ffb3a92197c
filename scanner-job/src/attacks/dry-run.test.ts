import { expect, it } from "vitest";
import { isDryRun, isPreview } from "./dry-run.ts";

it.each([
  ["/letters/preview", undefined, true],
  ["/webhooks/test", undefined, true],
  ["/links", "fetchLink", true],
  ["/images/{id}/render", undefined, true],
  ["/tests", "createTest", false],
  ["/verify", "sendVerification", false],
  ["/previews/new", undefined, false],
  ["/users", "addUser", false],
])("%s (%s) keeps nothing: %s", (path, operationId, expected) => {
  expect(isDryRun({ path, ...(operationId === undefined ? {} : { operationId }) })).toBe(expected);
});

it.each([
  ["/letters/preview", true],
  ["/orders/validate", true],
  ["/laboratory/test", false],
  ["/accounts/verify", false],
])("%s only computes: %s", (path, expected) => expect(isPreview({ path })).toBe(expected));
