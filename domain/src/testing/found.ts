import { CATEGORY_KEYS, type PairCounts, type Finding } from "@glovebox/contract";
import type { Assessment } from "../scoring.ts";

let serial = 0;
/** A finding of a separate check, by "severity confidence", such as "high firm". */
export const found = (short: string, more: Partial<Finding> = {}): Finding => {
  const [severity, confidence] = short.split(" ") as [Finding["severity"], Finding["confidence"]];
  serial += 1;
  return {
    category: "encryption",
    severity,
    confidence,
    id: `f-${serial}`,
    check: `check-${serial}`,
    title: "t",
    description: "d",
    remediation: "r",
    location: { method: "GET", path: "/" },
    evidence: { rule: "r", exchanges: [], curl: "curl" },
    references: {},
    ...more,
  };
};

/** The same pairs for every category. */
export const equalPairs = (pairs: PairCounts): NonNullable<Assessment["pairs"]> =>
  Object.fromEntries(CATEGORY_KEYS.map((category) => [category, pairs]));

/** The input of `assess` for a target that was tested completely. */
export const WHOLLY_TESTED: Omit<Assessment, "findings"> = {
  pairs: equalPairs({ applicable: 10, decided: 10, perimeter: 0 }),
  operations: { known: 10, decided: 10, callable: 10, reached: 10 },
  reasons: new Map(),
};
