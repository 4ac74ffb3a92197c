import { describe, expect, it } from "vitest";
import { aCheck, anOperation, aTargetProfile } from "./testing/samples.ts";
import { subjectsOf } from "./engine/check.ts";
import { isNamedIn, readsNamedIn, restrictedTo } from "./only.ts";

const operations = ["/a", "/b"].map((path) => anOperation({ path }));
const profile = aTargetProfile({ operations });
const ofOperations = aCheck({ id: "ssrf/one", subjects: (target) => target.operations });
const ofHost = aCheck({ id: "ssrf/two" });
const checks = [ofOperations, ofHost];

const examined = (...args: Parameters<typeof restrictedTo>): string[] =>
  restrictedTo(...args).flatMap((check) =>
    subjectsOf(check, profile).map(({ location }) => `${check.id} ${location.path}`),
  );
const at = (check: string, path: string) => ({ check, location: { method: "GET", path } });

describe("an order that names what to examine", () => {
  it.each<[string, Parameters<typeof restrictedTo>[0], string[]]>([
    ["not at all has all checks on all subjects", undefined, ["ssrf/one /a", "ssrf/one /b", "ssrf/two /"]],
    ["has that check on that subject alone", [at("ssrf/one", "/b")], ["ssrf/one /b"]],
    ["has several", [at("ssrf/two", "/"), at("ssrf/one", "/a")], ["ssrf/one /a", "ssrf/two /"]],
    ["has nothing where the location no longer exists", [at("ssrf/one", "/gone")], []],
    ["has nothing of a check that there is not", [at("ssrf/three", "/a")], []],
  ])("%s", (_, only, expected) => {
    expect(examined(only, checks)).toEqual(expected);
  });
});

it.each([
  [undefined, ["/a", "/b"]],
  [[at("ssrf/one", "/b")], ["/b"]],
  [[{ check: "ssrf/one", location: { method: "GET", path: "/a", parameter: "q" } }], ["/a"]],
  [[at("ssrf/one", "/gone")], []],
])("an order that names %j reads the operations %j", (only, paths) => {
  expect(operations.filter(isNamedIn(only)).map(({ location }) => location.path)).toEqual(paths);
});

it("an order that names reads makes them operations, except the host and paths with parameters", () => {
  const named = [at("ssrf/one", "/"), at("ssrf/one", "/a"), at("ssrf/one", "/b/{id}")];
  const write = { check: "ssrf/one", location: { method: "POST", path: "/c" } };
  expect(readsNamedIn([...named, write])).toMatchObject([
    { method: "GET", path: "/a", source: "discovered" },
  ]);
  expect(readsNamedIn(undefined)).toEqual([]);
});
