import { describe, expect, it } from "vitest";
import type { ApiDocument } from "../inventory/api-document.ts";
import { aCheck, anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import { inconclusive, notApplicable, pass } from "./check.ts";
import { testedIn } from "./coverage.ts";
import type { Result } from "./result.ts";

const DOCUMENT = { operations: [], securitySchemes: [], notes: [] } as unknown as ApiDocument;

describe("a comparison of identities", () => {
  const operation = anOperation({ path: "/orders" });
  const profile = aTargetProfile({
    entry: aResponse({ body: "{}" }),
    operations: [operation],
    document: DOCUMENT,
  });
  const anonymous = aCheck({
    ...{ id: "bola-authorization/one", category: "bolaAuthorization" },
    subjects: () => [operation],
  });
  const comparison = aCheck({
    ...{ id: "bola-authorization/two", category: "bolaAuthorization", kind: "comparison" },
    subjects: () => [operation],
  });
  const refused: Result = { check: anonymous, subject: operation, verdict: pass(), reach: "refused" };
  const compared = (verdict: Result["verdict"]): Result => ({
    ...{ check: comparison, subject: operation, verdict, reach: "reached", caller: "alice" },
  });
  const shareWith = (results: readonly Result[]): number =>
    testedIn(profile, { results, reads: new Map() }, [anonymous, comparison]).pairs.bolaAuthorization
      ?.share ?? -1;

  it("a comparison of identities that passes decides the pair, together with the refusal of anonymous callers", () => {
    expect(shareWith([refused, compared(pass())])).toBe(1);
  });

  it.each([
    ["is undecided", [refused, compared(inconclusive("No object is known."))]],
    ["does not apply", [refused, compared(notApplicable("There is one identity."))]],
    ["was not made", [refused]],
  ])("a comparison of identities that %s leaves the pair as it is without identities", (_, results) => {
    expect(shareWith(results)).toBe(0);
  });

  it("a comparison of identities that is undecided takes nothing from what anonymous requests decided", () => {
    const reached: Result = { ...refused, reach: "reached" };
    expect(shareWith([reached, compared(inconclusive("No object is known."))])).toBe(1);
  });
});
