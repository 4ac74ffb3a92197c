import { type Location } from "@glovebox/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { locationKey, passedAmong, passing, locationName } from "./location.ts";

test.each<[Location, string]>([
  [{ method: "GET", path: "/orders" }, "GET /orders"],
  [{ method: "GET", path: "/orders/{id}", parameter: "id" }, "GET /orders/{id} (id)"],
])("a location is one line", (location, line) => expect(locationName(location)).toBe(line));

describe("the key of a location", () => {
  const location = { method: "GET", path: "/a" };

  test("the key of a location is the text that rows of earlier releases have", () => {
    expect(locationKey({ check: "ssrf/sample", location })).toBe("ssrf/sample GET /a");
  });

  test("the key of a location is the subject's where the weakness was seen elsewhere", () => {
    const subject = { method: "GET", path: "/b", parameter: "q" };
    expect(locationKey({ check: "ssrf/sample", location, subject })).toBe("ssrf/sample GET /b (q)");
  });
});

describe("the keys that passed", () => {
  const word = fc.stringMatching(/^[a-z ]{1,6}$/);

  test("the keys that passed are the keys of the checks and locations that passed, with any characters", () => {
    const tested = fc.record({
      places: fc.uniqueArray(word, { maxLength: 6 }),
      checks: fc.uniqueArray(fc.record({ check: word, passedAt: fc.constantFrom("", "0", "0-2", "1 3-5") }), {
        selector: ({ check }) => check,
        maxLength: 4,
      }),
    });
    fc.assert(
      fc.property(tested, ({ places, checks }) => {
        const pairs = checks.flatMap(({ check }) => places.map((location) => [check, location] as const));
        const keyOf = ([check, location]: readonly [string, string]): string => `${check} ${location}`;
        const hasPassed = passing({ checks, places });
        const expected = pairs.filter(([check, location]) => hasPassed(check, location)).map(keyOf);
        expect(passedAmong(new Set(pairs.map(keyOf)), { checks, places })).toEqual(new Set(expected));
      }),
    );
  });

  test("the keys that passed of more locations than any scan can test are not read to the end", () => {
    const places = Array.from({ length: 1_000 }, (_, index) => `GET /${index}`);
    const checks = Array.from({ length: 1_000 }, (_, index) => ({ check: `x/${index}`, passedAt: "0-999" }));
    const asked: string[] = [];
    const keys = Object.assign(new Set(["x/0 GET /999", "x/999 GET /0"]), {
      has: (key: string) => asked.push(key) > 0 && (key === "x/0 GET /999" || key === "x/999 GET /0"),
    });
    expect([...passedAmong(keys, { checks, places })]).toEqual(["x/0 GET /999"]);
    expect(asked).toHaveLength(300_000);
  });
});
