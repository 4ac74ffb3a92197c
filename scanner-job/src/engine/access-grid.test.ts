import { pathAccessSchema } from "@glovebox/contract";
import { expect, it } from "vitest";
import { anOperation, aTargetProfile } from "../testing/samples.ts";
import type { ApiDocument } from "../inventory/api-document.ts";
import { accessGrid } from "./access-grid.ts";

const read = anOperation({ path: "/users/{id}" });
const write = anOperation({ method: "DELETE", path: "/users/{id}" });
const reset = anOperation({ method: "POST", path: "/reset" });
const document = { operations: [reset.facts, read.facts] } as unknown as ApiDocument;

it("shows anonymous access for each path and method, and names what is never called", () => {
  const grid = accessGrid(
    aTargetProfile({ operations: [read, write], document }),
    new Map([
      [read, "reached"],
      [write, "refused"],
    ] as const),
  );
  expect(grid.map((row) => pathAccessSchema.parse(row))).toEqual([
    { path: "/reset", methods: { POST: "notCalled" } },
    { path: "/users/{id}", methods: { GET: "allowed", DELETE: "refused" } },
  ]);
});

it("the access grid has a thousand paths at most", () => {
  const operations = Array.from({ length: 1_200 }, (_, n) => anOperation({ path: `/p${n}` }));
  expect(accessGrid(aTargetProfile({ operations }), new Map())).toHaveLength(1_000);
});
