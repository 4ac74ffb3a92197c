import { ANONYMOUS } from "@glovebox/contract";
import { expect, test } from "vitest";
import { notesOnExpectations } from "./expectations.ts";

const CALLERS = [{ name: "alice", role: "user" as const }];
const deny = ["/admin/**"];

test("expectations of callers that the scan does not have are named in the notes", () => {
  const expectations = [
    { identity: "alcie", deny },
    { role: "admin" as const, deny },
    { role: "admin" as const, allow: deny },
  ];
  expect(notesOnExpectations(expectations, CALLERS)).toEqual([
    "Not checked, because the scan has no such caller: what is expected of identity `alcie`, role `admin`.",
  ]);
});

test("expectations of callers that the scan has add no note", () => {
  const expectations = [
    { identity: "alice", deny },
    { identity: ANONYMOUS, deny },
    { role: "user" as const, deny },
  ];
  expect(notesOnExpectations(expectations, CALLERS)).toEqual([]);
});
