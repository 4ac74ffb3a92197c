import { describe, expect, test } from "vitest";
import { onFreePort } from "./free-port.ts";

const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** The ports that were tried, where these are taken. */
async function tried(port: number, isTaken: (port: number) => boolean, code = "EADDRINUSE") {
  const ports: number[] = [];
  const warnings: [number, number][] = [];
  const listen = async (each: number): Promise<number> => {
    ports.push(each);
    if (isTaken(each)) throw failing(code);
    return each;
  };
  const onTaken = (taken: number, next: number): void => void warnings.push([taken, next]);
  const outcome = await onFreePort(port, { listen, onTaken }).catch((error: Error) => error.message);
  return { ports, warnings, outcome };
}

describe("the port of the demo target", () => {
  test("the port of the demo target is the one that is set, where it is free", async () => {
    expect(await tried(8_443, () => false)).toEqual({ ports: [8_443], warnings: [], outcome: 8_443 });
  });
  test("the port of the demo target is the next free one where that is taken, and a warning says so", async () => {
    expect(await tried(8_443, (port) => port < 8_445)).toEqual({
      ports: [8_443, 8_444, 8_445],
      warnings: [
        [8_443, 8_444],
        [8_444, 8_445],
      ],
      outcome: 8_445,
    });
  });
  test("the port of the demo target is any free one where ten in a row are taken, or where there is no next one", async () => {
    expect((await tried(8_443, (port) => port !== 0)).ports).toEqual([
      ...Array.from({ length: 10 }, (_, index) => 8_443 + index),
      0,
    ]);
    expect((await tried(65_535, (port) => port !== 0)).ports).toEqual([65_535, 0]);
  });
  test("0 asks for any free one immediately", async () => {
    expect((await tried(0, () => false)).ports).toEqual([0]);
  });
  test("the port of the demo target is not tried again after another failure", async () => {
    expect(await tried(8_443, () => true, "EIO")).toMatchObject({ ports: [8_443], outcome: "EIO" });
  });
});
