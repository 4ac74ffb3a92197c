import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { areaPath, linePath, niceMax, placePoints, sectorCentre, sectorPath } from "./geometry.ts";

const FRAME = { width: 100, height: 50, padding: 5 };
const DAY = (day: number, value: number) => ({
  at: `2026-11-${String(day).padStart(2, "0")}T00:00:00Z`,
  value,
});

describe("a line", () => {
  test("goes from the left edge at the first moment to the right edge at the last, in proportion to time", () => {
    const placed = placePoints([DAY(1, 0), DAY(2, 50), DAY(5, 100)], 100, FRAME);
    expect(linePath(placed)).toBe("M5 45L27.5 25L95 5");
    expect(areaPath(placed, 45)).toBe("M5 45L27.5 25L95 5L95 45L5 45Z");
  });

  test("a line of one moment is one point in the middle", () => {
    expect(placePoints([DAY(1, 100)], 100, FRAME)).toMatchObject([{ x: 50, y: 5 }]);
  });

  test("a line of nothing is empty", () => {
    expect(areaPath(placePoints([], 100, FRAME), 45)).toBe("");
  });

  test("stays in its frame with any values", () => {
    const values = fc.array(fc.record({ day: fc.integer({ min: 1, max: 30 }), value: fc.nat() }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(values, fc.nat({ max: 1000 }), (points, max) => {
        for (const { x, y } of placePoints(
          points.map(({ day, value }) => DAY(day, value)),
          max,
          FRAME,
        )) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(100);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(50);
        }
      }),
    );
  });
});

describe("the top of an axis", () => {
  test.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [10, 10],
    [11, 20],
    [4200, 5000],
  ])("the top of an axis for %d is %d", (value, top) => expect(niceMax(value)).toBe(top));
});

describe("a sector", () => {
  test("a sector of four starts at the top and ends at the right", () => {
    expect(sectorPath({ index: 0, count: 4, inner: 10, outer: 20 }, 0)).toBe(
      "M0 -10L0 -20A20 20 0 0 1 20 0L10 0A10 10 0 0 0 0 -10Z",
    );
  });

  test("a sector has its label on the line through its middle", () => {
    expect(sectorCentre({ index: 1, count: 2 }, 10)).toEqual([-10, 0]);
  });
});
