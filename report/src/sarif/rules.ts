import { CATEGORIES, SEVERITIES, type Finding, type Severity } from "@glovebox/contract";
import { explanationOf } from "../findings.ts";
import { markdownText } from "../markdown-text.ts";
import { plainText } from "../text.ts";

/** GitHub reads a severity from this number: 9.1 to 10 is critical, 7 to 8.9 high, 4 to 6.9 medium, 0.1 to 3.9 low. */
const SECURITY_SEVERITY: Readonly<Record<Severity, string>> = {
  critical: "9.5",
  high: "8.0",
  medium: "5.5",
  low: "2.5",
  info: "0.0",
};

const PRECISION = { confirmed: "very-high", firm: "high", tentative: "low" } as const;

export type Rule = ReturnType<typeof ruleOf>;

/** A reportingDescriptor for each check that found something. */
export function rulesOf(findings: readonly Finding[]): Rule[] {
  return [...Map.groupBy(findings, ({ check }) => check).values()].map(ruleOf);
}

function ruleOf(findings: readonly Finding[]) {
  const worst = findings.toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  )[0]!;
  const { check, title, remediation, confidence, severity } = worst;
  const description = plainText(explanationOf(worst)) || plainText(title);
  return {
    id: check,
    name: nameOf(check),
    shortDescription: { text: plainText(title) },
    fullDescription: { text: description },
    help: {
      text: plainText(remediation) || description,
      markdown: `${markdownText(description)}\n\n${markdownText(remediation)}`,
    },
    properties: {
      tags: tagsOf(worst),
      precision: PRECISION[confidence],
      "security-severity": SECURITY_SEVERITY[severity],
    },
  };
}

/** In the case of a type's name, as SARIF wants it: `data-exposure/version-disclosure` is `DataExposureVersionDisclosure`. */
const nameOf = (check: string): string =>
  check
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

function tagsOf({ category, references: { cwe, owasp } }: Finding): string[] {
  return [
    "security",
    CATEGORIES[category].title,
    ...(cwe === undefined ? [] : [`external/cwe/cwe-${String(cwe).padStart(3, "0")}`]),
    ...(owasp === undefined ? [] : [plainText(owasp)]),
  ];
}
