import { expect, test } from "vitest";
import { undecidedTable } from "./undecided.ts";

test("the reason that leaves most subjects undecided is first, with its checks in order of theirs", () => {
  const table = undecidedTable([
    { check: "a/one", reason: "No id was found.", count: 3 },
    { check: "a/two", reason: "A firewall responded.", count: 1 },
    { check: "a/one", reason: "A firewall responded.", count: 2 },
    { check: "a/two", reason: "A firewall responded.", count: 4 },
  ]);
  const rows = table.split("\n").slice(2);
  expect(rows.map((row) => row.split("|").map((cell) => cell.trim()))).toEqual([
    ["", "A firewall responded.", "7", "a/two 5, a/one 2", ""],
    ["", "No id was found.", "3", "a/one 3", ""],
  ]);
});

test("of many checks, the first four are named and the others counted", () => {
  const checks = ["a", "b", "c", "d", "e", "f"].map((check) => ({ check, reason: "Silence.", count: 1 }));
  expect(undecidedTable(checks)).toContain("| a 1, b 1, c 1, d 1, 2 more |");
});
