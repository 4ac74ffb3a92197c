import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isScanId, newScanId } from "./scan.ts";

const random = fc.uint8Array({ minLength: 10, maxLength: 10 });
const instant = fc.date({ min: new Date(0), max: new Date(2 ** 48 - 1), noInvalidDate: true });

describe("newScanId", () => {
  test("makes ids that isScanId knows and that are valid Kubernetes names", () => {
    fc.assert(
      fc.property(instant, random, (now, bytes) => {
        const id = newScanId(now, bytes);
        expect(isScanId(id)).toBe(true);
        expect(id).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
        expect(id.length).toBeLessThanOrEqual(63);
      }),
    );
  });

  test("sorts as text in the order of time with any random bits", () => {
    fc.assert(
      fc.property(instant, instant, random, random, (a, b, left, right) => {
        fc.pre(a.getTime() !== b.getTime());
        expect(newScanId(a, left) < newScanId(b, right)).toBe(a < b);
      }),
    );
  });

  test("keeps all 80 random bits", () => {
    fc.assert(
      fc.property(instant, random, random, (now, left, right) => {
        expect(newScanId(now, left) === newScanId(now, right)).toBe(Buffer.compare(left, right) === 0);
      }),
    );
  });

  test("encodes as a ULID does: first and last values", () => {
    expect(newScanId(new Date(0), new Uint8Array(10))).toBe(`scan-${"0".repeat(26)}`);
    expect(newScanId(new Date(2 ** 48 - 1), new Uint8Array(10).fill(255))).toBe(`scan-7${"z".repeat(25)}`);
  });

  test("differs from call to call within one millisecond", () => {
    const now = new Date(1_800_000_000_000);
    expect(new Set(Array.from({ length: 100 }, () => newScanId(now))).size).toBe(100);
  });
});

describe("isScanId", () => {
  test.each([
    "",
    "scan-",
    "scan-01kahr5zn8v3mwf2c7d9e4x6b",
    "scan-01kahr5zn8v3mwf2c7d9e4x6bqq",
    "scan-01KAHR5ZN8V3MWF2C7D9E4X6BQ",
    "scan-01kahr5zn8v3mwf2c7d9e4x6bi",
    "scan-01kahr5zn8v3mwf2c7d9e4x6bl",
    "scan-01kahr5zn8v3mwf2c7d9e4x6bo",
    "scan-01kahr5zn8v3mwf2c7d9e4x6bu",
    "scan-01kahr5zn8v3mwf2c7d9e4x6bq\n",
    " scan-01kahr5zn8v3mwf2c7d9e4x6bq",
    "scan_01kahr5zn8v3mwf2c7d9e4x6bq",
    "01kahr5zn8v3mwf2c7d9e4x6bq",
  ])("refuses %j", (text) => {
    expect(isScanId(text)).toBe(false);
  });
});
