import { assess } from "@glovebox/domain";
import { type CompletedScan, type Finding } from "@glovebox/contract";
import { WHOLLY_TESTED, found } from "@glovebox/domain/testing";

/** A completed scan with these findings. */
export function completedScan(
  findings: readonly Finding[],
  more: Partial<CompletedScan> = {},
): CompletedScan {
  const list = [...findings];
  const { scoring, score, grade, categories, coverage } = assess({ findings: list, ...WHOLLY_TESTED });
  return {
    id: "scan-01kapc3v7mq5t3cqz6yfv6e2r9",
    status: "completed",
    url: "https://api.shop.example/v1",
    createdAt: "2027-01-31T10:00:00.000Z",
    completedAt: "2027-01-31T10:01:00.000Z",
    ...{ score, grade, categories, findings: list, coverage, scoring },
    ...{
      checks: [],
      notes: [],
      scannerVersion: "1.2.3",
      statistics: { requests: 12, operations: 3, durationMs: 4_567 },
    },
    ...more,
  };
}

/** A scan of which every text that a target can influence is this one. */
export function hostileScan(text: string): CompletedScan {
  const location = { method: "GET", path: `/${text}`, parameter: text };
  const request = { method: "GET", url: text, headers: { [text]: text }, body: text };
  const response = { status: 200, headers: { [text]: text }, body: text };
  const evidence = {
    rule: text,
    exchanges: [
      { role: "control" as const, request, response: { ...response, body: "" } },
      { role: "attack" as const, request, response },
    ],
    curl: text,
    pointer: text,
  };
  const finding = found("high confirmed", {
    ...{ id: "0e2851c5699ef5ee", check: "data-exposure/sample", category: "dataExposure", title: text },
    ...{ description: text, remediation: text, observed: text, location, evidence },
    references: { cwe: 79, owasp: text, cvss: text },
  });
  return completedScan([finding], {
    ...{ summary: text, scope: { include: [text], exclude: [text] }, notes: [text], places: [text] },
    accessByCaller: [
      {
        ...{ method: text, path: `/${text}`, access: { [text]: "allowed" } },
        violations: [{ caller: text, finding: text }],
      },
    ],
    sideEffects: [{ operation: location, request, response, cleaned: false }],
    mode: "active",
    journal: [
      {
        ...{ operation: location, caller: text.slice(0, 32), request, response, cleaned: false },
        ...{ object: text, reason: text, curl: text },
      },
    ],
    checks: [
      {
        ...{ check: "ssrf/sample", category: "ssrf", passed: 1, failed: 0, inconclusive: 1 },
        ...{ reasons: [text], passedAt: "0" },
      },
    ],
  });
}

/** What writers of formats have got wrong. */
export const NASTY_TEXTS: readonly string[] = [
  "]]>",
  "</style><script>alert(1)</script>",
  "--><img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)',
  "=cmd|' /C calc'!A0",
  "+1",
  "-1",
  "@SUM(A1)",
  "\u{ff1d}1+1",
  "a|b|c `code` ```fence``` <b>bold</b>",
  "[click](https://evil.example) ![x](https://evil.example/x.png) @everyone #1",
  "\u202egnp.exe\u202c \u2066",
  "\u0000\u0007\u001b[31mred\u007f\u009b",
  "line one\r\nline two\u2028three\u2029four",
  "\ud800 lone \udfff",
  "\ufffe\uffff\ufeff",
  "&amp;&#60;{0}\\",
  "../../etc/passwd",
  "C:\\Windows",
  'a,b;"c"\td',
  "",
];
