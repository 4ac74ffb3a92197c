import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instancesOf } from "@glovebox/domain";
import { type Finding } from "@glovebox/contract";
import { found, instanceAt } from "@glovebox/domain/testing";
import { describe, expect, test } from "vitest";
import { acceptedOf, readSuppressions } from "./suppressions.ts";

const ID = "0e2851c5699ef5ee";
const ONE = { id: ID, reason: "Accepted by the owner.", expires: "2027-01-31" };

function inFile<T>(text: string, use: (path: string) => T): T {
  using folder = mkdtempDisposableSync(join(tmpdir(), "glovebox-suppressions-"));
  const path = join(folder.path, "suppressions.yaml");
  writeFileSync(path, text);
  return use(path);
}

describe("a file of suppressions", () => {
  test.each([
    ["YAML", `suppressions:\n  - id: ${ID}\n    reason: Accepted by the owner.\n    expires: 2027-01-31\n`],
    ["JSON", JSON.stringify({ suppressions: [ONE] })],
  ])("a file of suppressions is read as %s", (_, text) => {
    expect(inFile(text, readSuppressions)).toEqual([ONE]);
  });

  test("keeps an id that looks like a number as it is", () => {
    const text = "suppressions:\n  - {id: 0012345678901234, reason: why, expires: 2027-01-31}\n";
    expect(inFile(text, readSuppressions)[0]?.id).toBe("0012345678901234");
  });

  test.each([
    ["a missing reason", { ...ONE, reason: undefined }, "suppressions.0.reason: must say why"],
    ["an empty reason", { ...ONE, reason: " " }, "suppressions.0.reason: must say why"],
    [
      "no expiry",
      { ...ONE, expires: undefined },
      "suppressions.0.expires: must be a date such as 2027-01-31",
    ],
    [
      "a day that is none",
      { ...ONE, expires: "2027-02-30" },
      "suppressions.0.expires: must be a date such as 2027-01-31",
    ],
    [
      "another id",
      { ...ONE, id: "hsts" },
      "suppressions.0.id: must be the id of a finding or of an instance: 16 hexadecimal digits",
    ],
    ["an unknown field", { ...ONE, until: "2027" }, 'suppressions.0: Unrecognized key: "until"'],
  ])("a file of suppressions with %s is refused with the name of the field", (_, suppression, message) => {
    expect(() => inFile(JSON.stringify({ suppressions: [suppression] }), readSuppressions)).toThrow(message);
  });

  test("a file of suppressions that is not YAML is refused", () => {
    expect(() => inFile("suppressions: [", readSuppressions)).toThrow("is neither YAML nor JSON");
  });

  test("a file of suppressions that does not exist is refused", () => {
    expect(() => readSuppressions("/no/such.yaml")).toThrow("/no/such.yaml cannot be read");
  });
});

describe("what is accepted", () => {
  const [a, b] = [instanceAt("GET /a"), instanceAt("GET /b")];
  const finding: Finding = { ...found("high firm"), id: ID, instances: [a, b] };
  const today = new Date("2027-01-31T23:59:59Z");
  const accepted = (given: Partial<Parameters<typeof acceptedOf>[1]>) => {
    const { reasons, notes } = acceptedOf([finding], { baseline: [], suppressions: [], today, ...given });
    return { reasons: Object.fromEntries(reasons), notes };
  };
  const suppressed = "suppressed until 2027-01-31: Accepted by the owner.";

  test.each<[string, Parameters<typeof accepted>[0], ReturnType<typeof accepted>]>([
    ["nothing by itself", {}, { reasons: {}, notes: [] }],
    [
      "locations of the baseline, and no others",
      { baseline: [a] },
      { reasons: { [a.id]: "in the baseline" }, notes: [] },
    ],
    [
      "all locations of a finding that is suppressed, also on the last day",
      { suppressions: [ONE] },
      { reasons: { [a.id]: suppressed, [b.id]: suppressed }, notes: [] },
    ],
    [
      "one location that is suppressed",
      { suppressions: [{ ...ONE, id: b.id }] },
      { reasons: { [b.id]: suppressed }, notes: [] },
    ],
    [
      "nothing that expired, and says so",
      { suppressions: [{ ...ONE, expires: "2027-01-30" }] },
      {
        reasons: {},
        notes: [`The suppression of ${ID} (Accepted by the owner.) expired on 2027-01-30: it counts again.`],
      },
    ],
    [
      "nothing by a suppression that matches nothing, and says so",
      { suppressions: [{ ...ONE, id: "ffffffffffffffff" }] },
      {
        reasons: {},
        notes: ["The suppression of ffffffffffffffff (Accepted by the owner.) matches nothing."],
      },
    ],
  ])("%s", (_, given, expected) => {
    expect(accepted(given)).toEqual(expected);
  });

  test("a suppression is a mark until the end of its last day, and what is in the baseline always", () => {
    const given = { baseline: [a], suppressions: [{ ...ONE, id: b.id }], today };
    expect([...acceptedOf([finding], given).marks]).toEqual([
      [a.id, { status: "accepted", reason: "in the baseline" }],
      [b.id, { status: "accepted", reason: "Accepted by the owner.", expiresAt: "2027-02-01T00:00:00.000Z" }],
    ]);
  });

  test("an id that one finding has alone is the id of its location or of the weakness", () => {
    const single = found("high firm", { id: ID });
    const [instance] = instancesOf(single);
    const { reasons } = acceptedOf([single], { baseline: [], suppressions: [ONE], today });
    expect([...reasons.keys()]).toEqual([instance!.id]);
  });
});
