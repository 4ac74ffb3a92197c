import { expect, test } from "vitest";
import { discoveredOperation, Operation } from "../inventory/operation.ts";
import { gapIn } from "./document-gap.ts";
import type { Read } from "./read-operations.ts";
import type { Reach } from "./reach.ts";

const READ: Read = { reach: "reached", isPeripheral: false, isAbsent: false };

interface Seen {
  readonly at: string;
  readonly source: "spec" | "discovered";
  readonly reach?: Reach;
  readonly isAbsent?: true;
}

const declared = (at: string, more: Partial<Seen> = {}): Seen => ({ at, source: "spec", ...more });
const found = (at: string, reach: Reach): Seen => ({ at, source: "discovered", reach });

function gapOf(all: readonly Seen[]) {
  const seen = all.map((each) => {
    const [method = "", path = ""] = each.at.split(" ");
    const facts = discoveredOperation({ method, path, source: each.source });
    return { ...each, operation: new Operation("https://api.example.com", facts) };
  });
  const document = { operations: [], servers: [], securitySchemes: [], notes: [] };
  return gapIn(
    { document: document as unknown as NonNullable<Parameters<typeof gapIn>[0]["document"]> },
    {
      operations: seen.map(({ operation }) => operation),
      reaches: new Map(seen.map(({ operation, reach = "reached" }) => [operation, reach])),
      reads: new Map(
        seen.map(({ operation, isAbsent = false, reach = "reached" }) => [
          operation,
          { ...READ, reach, isAbsent },
        ]),
      ),
    },
  );
}

const NINE = Array.from({ length: 9 }, (_, index) => declared(`GET /things-${index}`));

test("without a document the gap is that it is missing", () => {
  expect(gapIn({ document: undefined }, { operations: [], reaches: new Map(), reads: new Map() })).toBe(
    "missing",
  );
});

test.each<[string, readonly Seen[], ReturnType<typeof gapIn>]>([
  ["a document of all operations leaves no gap", NINE, undefined],
  ["an operation beside nine is a contradiction", [...NINE, found("GET /other", "reached")], "contradicted"],
  ["a refusal beside nine is a contradiction", [...NINE, found("GET /other", "refused")], "contradicted"],
  [
    "one beside ten or more is none",
    [...NINE, declared("GET /b"), found("GET /other", "reached")],
    undefined,
  ],
  [
    "a method that the guard of a documented path refuses is none",
    [...NINE, found("PUT /things-1", "refused")],
    undefined,
  ],
  [
    "a method that responds at a documented path is one",
    [...NINE, found("PUT /things-1", "reached")],
    "contradicted",
  ],
  ["a guess that is missing is none", [...NINE, found("GET /other", "missing")], undefined],
  [
    "a documented operation that the target lacks is one",
    [...NINE, declared("GET /b", { isAbsent: true })],
    "contradicted",
  ],
])("%s", (_name, all, expected) => {
  expect(gapOf(all)).toBe(expected);
});
