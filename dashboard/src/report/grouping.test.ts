import type { Finding } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { groupByCheck } from "./grouping.ts";

const finding = (id: string, check: string, more: Partial<Finding> = {}): Finding => ({
  id,
  check,
  severity: "high",
  title: "Broken object level authorization",
  description: "An order of another user is served.",
  remediation: "Check the owner.",
  confidence: "confirmed",
  category: "bolaAuthorization",
  location: { method: "GET", path: "/orders/{id}" },
  evidence: { rule: "The same order.", exchanges: [], curl: "curl" },
  references: {},
  ...more,
});

describe("findings", () => {
  test("findings of one check are together, in the order of the report", () => {
    const groups = groupByCheck([finding("1", "bola"), finding("2", "hsts"), finding("3", "bola")]);
    expect(groups.map(({ check, findings }) => [check, findings.map(({ id }) => id)])).toEqual([
      ["bola", ["1", "3"]],
      ["hsts", ["2"]],
    ]);
  });
});
