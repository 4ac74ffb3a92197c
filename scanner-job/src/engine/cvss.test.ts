import { describe, expect, it, test } from "vitest";
import { CHECKS } from "../checks/index.ts";
import { BASE_SCORES, referencesAt } from "./cvss.ts";

test.each(CHECKS.flatMap(({ id, references: { cvss } }) => (cvss ? [[id, cvss]] : [])))(
  "the vector of %s has a base score in the table",
  (_id, cvss) => {
    expect(BASE_SCORES).toHaveProperty([cvss.replace("CVSS:4.0/", "")]);
  },
);

describe("the vector of a finding", () => {
  const cvss = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N"; // 8.7
  it.each([
    ["high", true],
    ["critical", false],
    ["medium", false],
    ["low", false],
  ] as const)("rated high is given at severity %s: %s", (severity, isGiven) => {
    const references = referencesAt(severity, { cwe: 200, cvss });
    expect(references).toEqual(isGiven ? { cwe: 200, cvss } : { cwe: 200 });
  });

  it("the vector of a finding that is not in the table is left out", () => {
    expect(referencesAt("high", { cvss: "CVSS:4.0/AV:P" })).toEqual({});
  });
});
