import type { NotedWrite } from "@glovebox/contract";
import { expect, test } from "vitest";
import { bounded } from "./resumption.ts";

const write = (seq: number, cleaned: boolean): NotedWrite => ({
  ...{ seq, cleaned, form: "creation", caller: "self-1" },
  operation: { method: "POST", path: "/notes" },
  request: { method: "POST", url: "https://api.example/notes", headers: {} },
  curl: "curl -X DELETE https://api.example/notes/1",
});
const WRITES = [write(0, true), write(1, false), write(2, true), write(3, false)];
const seqsWithin = (maxBytes: number): number[] =>
  bounded({ seed: "s".repeat(32), writes: WRITES }, maxBytes).writes.map(({ seq }) => seq);
const size = (of: unknown): number => JSON.stringify(of).length;
const withoutCurl = ({ curl: _, ...rest }: NotedWrite) => rest;

test.each([
  ["everything where there is room", size(WRITES), [0, 1, 2, 3]],
  ["no command where there is less", size(WRITES.map(withoutCurl)), [0, 1, 2, 3]],
  ["only what remains where there is less still", size(WRITES.map(withoutCurl)) - 1, [1, 3]],
  ["the newest of it at last", size([withoutCurl(WRITES[3]!)]), [3]],
  ["nothing where there is no room", 1, []],
])("an order has %s", (_, maxBytes, seqs) => {
  expect(seqsWithin(maxBytes)).toEqual(seqs);
});
