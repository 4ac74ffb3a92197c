import { expect, test } from "vitest";
import { scanResource } from "./testing/worlds.ts";
import { Written } from "./written.ts";

const scanAt = (resourceVersion: string) => {
  const scan = scanResource();
  return { ...scan, metadata: { ...scan.metadata, resourceVersion } };
};
const seen = (resourceVersion: string, isGone = false) => ({ scan: scanAt(resourceVersion), isGone });

test("what was written counts while the cache shows the version before, through any number of writes", () => {
  const written = new Written();
  expect(written.since(seen("1"))).toBeUndefined();
  written.note(seen("1"), scanAt("2"));
  expect(written.since(seen("1"))).toEqual(scanAt("2"));
  written.note(seen("1"), scanAt("3"));
  expect(written.since(seen("1"))).toEqual(scanAt("3"));
});

test.each([
  ["what the cache shows since", seen("2")],
  ["the last state of a Scan that is gone", seen("1", true)],
])("what was written gives way to %s", (_, sighting) => {
  const written = new Written();
  written.note(seen("1"), scanAt("2"));
  expect(written.since(sighting)).toBeUndefined();
  expect(written.since(seen("1"))).toBeUndefined();
});
