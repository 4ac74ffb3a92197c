import { CATEGORY_KEYS, type Category, type Finding, type PairCounts } from "@glovebox/contract";
import { assess, type Assessment, type Verdict } from "@glovebox/domain";

/** A target of ten operations, of whose every category this share was decided. */
function tested(
  shareOf: (category: Category) => number,
  { reached = 10, findings = [], ...access }: Partial<Assessment> & { reached?: number } = {},
): Verdict {
  const pairs = Object.fromEntries(
    CATEGORY_KEYS.map((category): [Category, PairCounts] => [
      category,
      { applicable: 100, decided: 100 * shareOf(category), perimeter: 0, share: shareOf(category) },
    ]),
  );
  const operations = { known: 10, decided: 10, callable: 10, reached };
  return assess({ findings, pairs, operations, reasons: new Map(), ...access });
}

const found = (severity: Finding["severity"], confidence: Finding["confidence"]): Finding => ({
  category: "ssrf",
  severity,
  confidence,
  id: "example",
  check: "example",
  title: "",
  description: "",
  remediation: "",
  location: { method: "GET", path: "/" },
  evidence: { rule: "", exchanges: [], curl: "" },
  references: {},
});

const all = (): number => 1;
const whereRefused = (category: Category): number =>
  ["authentication", "bflaAuthorization", "encryption"].includes(category) ? 1 : 0;

/** What a scan saw, and what `assess` makes of it. */
export const SCORING_EXAMPLES: readonly (readonly [string, Verdict])[] = [
  ["everything was tested, nothing was found", tested(all)],
  ["three quarters of each category were tested, nothing was found", tested(() => 0.75)],
  ["half of each category was tested, nothing was found", tested(() => 0.5)],
  ["everything known was tested, without a document", tested(all, { documentGap: "missing" })],
  ["everything was tested, and no operation refused the caller", tested(all, { refusesNobody: true })],
  ["each operation refused the caller with 401, nothing was found", tested(whereRefused, { reached: 0 })],
  ["everything was tested, one firm finding is high", tested(all, { findings: [found("high", "firm")] })],
  [
    "everything was tested, one tentative finding is high",
    tested(all, { findings: [found("high", "tentative")] }),
  ],
  [
    "everything was tested, one confirmed finding is critical",
    tested(all, { findings: [found("critical", "confirmed")] }),
  ],
  [
    "half of each category was tested, one confirmed finding is critical",
    tested(() => 0.5, { findings: [found("critical", "confirmed")] }),
  ],
];
