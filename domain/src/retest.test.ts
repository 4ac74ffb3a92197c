import { locationName } from "./location.ts";
import { type Instance } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { diffOf } from "./diff.ts";
import { retesting, type Retested } from "./retest.ts";
import { instanceAt, locationOf, reportOf } from "./testing/reports.ts";

describe("what a later report says of an instance", () => {
  const seen = instanceAt("GET /orders (q)");
  test.each<[string, Instance, Retested, string]>([
    ["is unchanged where the same check sees the same there", seen, reportOf({ found: [seen] }), "unchanged"],
    [
      "has changed where its severity is another",
      seen,
      reportOf({ found: [{ ...seen, severity: "low" }] }),
      "changed: low now, high before.",
    ],
    ["is gone where the check found nothing wrong", seen, reportOf({ passed: ["GET /orders (q)"] }), "gone"],
    [
      "is not tested where only another parameter passed",
      seen,
      reportOf({ passed: ["GET /orders (page)"] }),
      "not tested: The location was not found.",
    ],
    [
      "is not tested where the check was inconclusive",
      seen,
      reportOf({ places: ["GET /orders (q)"], reasons: ["Silence."] }),
      "not tested: Silence.",
    ],
    [
      "is not tested where the check did not run",
      seen,
      { ...reportOf({ passed: ["GET /orders (q)"] }), checks: [] },
      "not tested: The check is not in that report.",
    ],
    [
      "is not tested by a report of a release that does not say what passed",
      seen,
      { findings: [], checks: reportOf({}).checks },
      "not tested: That report does not say what was tested.",
    ],
    [
      "is gone where the subject that showed it passed",
      instanceAt("POST /graphql", { subject: locationOf("GET /") }),
      reportOf({ passed: ["GET /"] }),
      "gone",
    ],
    [
      "has changed where the same subject shows it elsewhere",
      instanceAt("POST /graphql", { subject: locationOf("GET /") }),
      reportOf({ found: [instanceAt("POST /api/graphql", { subject: locationOf("GET /") })] }),
      "changed: Now seen at POST /api/graphql.",
    ],
  ])("%s", (_, instance, later, expected) => {
    const retest = retesting(later, [instance])(instance);
    expect("detail" in retest ? `${retest.is}: ${retest.detail}` : retest.is).toBe(expected);
  });
});

describe("the difference of two reports", () => {
  const [a, b, c] = ["GET /a", "GET /b", "GET /c"].map((at) => instanceAt(at)) as [
    Instance,
    Instance,
    Instance,
  ];
  const texts = (older: Retested, newer: Retested): string[] =>
    diffOf(older, newer).map(
      ({ instance, is, isWorse }) => `${is}${isWorse ? "!" : ""} ${locationName(instance.location)}`,
    );

  test.each<[string, Retested, Retested, string[]]>([
    [
      "has what is new",
      reportOf({ found: [a] }),
      reportOf({ found: [a, b] }),
      ["new GET /b", "unchanged GET /a"],
    ],
    [
      "calls fixed what was found right",
      reportOf({ found: [a] }),
      reportOf({ passed: ["GET /a"] }),
      ["fixed GET /a"],
    ],
    [
      "never calls fixed what was not tested",
      reportOf({ found: [a] }),
      reportOf({ passed: ["GET /b"] }),
      ["not retested GET /a"],
    ],
    [
      "tells a worse severity from a milder one",
      reportOf({ found: [a, b] }),
      reportOf({
        found: [
          { ...a, severity: "critical" },
          { ...b, severity: "low" },
        ],
      }),
      ["changed! GET /a", "changed GET /b"],
    ],
    [
      "has one line for what moved, and not a new one too",
      reportOf({ found: [{ ...a, subject: c.location }] }),
      reportOf({ found: [{ ...b, subject: c.location }] }),
      ["changed GET /a"],
    ],
    [
      "calls new what joins something on the same subject",
      reportOf({ found: [{ ...a, subject: c.location }] }),
      reportOf({
        found: [
          { ...a, subject: c.location },
          { ...b, subject: c.location },
        ],
      }),
      ["new GET /b", "unchanged GET /a"],
    ],
    ["of two reports without findings is empty", reportOf({}), reportOf({}), []],
  ])("%s", (_, older, newer, expected) => {
    expect(texts(older, newer)).toEqual(expected);
  });
});
