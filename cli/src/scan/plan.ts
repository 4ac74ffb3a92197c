import { CATEGORIES, CATEGORY_KEYS } from "@glovebox/contract";
import { type PlanFrame } from "@glovebox/scan-run";
import { counted, plainText } from "@glovebox/report";
import { wrapped, type Print } from "../report/text.ts";

type Operation = Extract<PlanFrame, { kind: "operation" }>;
type Called = Operation["called"];

/** What a scan would send, told before it sends it. */
export interface ScanPlan {
  readonly url: string;
  readonly operations: readonly Pick<Operation, "method" | "path" | "called">[];
  readonly checks: readonly Pick<
    Extract<PlanFrame, { kind: "check" }>,
    "check" | "title" | "category" | "subjects"
  >[];
  readonly notes: readonly string[];
  /** False where no document was given or found: the scan discovers the operations. */
  readonly document: boolean;
  /** Sent to make the plan. */
  readonly requests: number;
}

/** The plan that a scanner's frames add up to; undefined while its end is missing. Pure. */
export function planFrom(url: string, frames: readonly PlanFrame[]): ScanPlan | undefined {
  const end = frames.find((frame) => frame.kind === "end");
  if (!end) return undefined;
  return {
    url,
    operations: frames.flatMap((frame) =>
      frame.kind === "operation" ? [{ method: frame.method, path: frame.path, called: frame.called }] : [],
    ),
    checks: frames.flatMap((frame) => {
      if (frame.kind !== "check") return [];
      const { check, title, category, subjects } = frame;
      return [{ check, title, category, subjects }];
    }),
    notes: frames.flatMap((frame) => (frame.kind === "note" ? [frame.note] : [])),
    document: end.document,
    requests: end.requests,
  };
}

const HEADINGS: Record<Called, string> = {
  "as described": "Called as the document describes them",
  "so that it fails":
    "Called only so that they cannot succeed: with an id that does not exist, or an invalid body",
  never: "Never called: they delete, reset, stop or sign out",
};

/** The plan for people. */
export function renderPlan(plan: ScanPlan, print: Print): string {
  const { paint } = print;
  const operations = (Object.keys(HEADINGS) as Called[]).flatMap((called) => {
    const own = plan.operations.filter((operation) => operation.called === called);
    if (own.length === 0) return [];
    const lines = own.map(({ method, path }) => `  ${method.padEnd(7)} ${plainText(path)}`);
    return [[`${paint("bold", HEADINGS[called])} (${own.length})`, ...lines].join("\n")];
  });
  const unknown = wrapped(
    "No OpenAPI document was given or found: the scan looks for operations at the target, and examines those that it finds. Name the document with --spec.",
    print,
  );
  const sections = [
    paint("bold", plainText(plan.url)),
    ...(plan.document ? operations : [unknown]),
    checksSection(plan, print),
    plan.notes.map((note) => `- ${plainText(note)}`).join("\n"),
    paint(
      "dim",
      `${counted(plan.requests, "request")} sent to make this plan. Besides these operations, the scan requests files, consoles and versions that should not be there.`,
    ),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function checksSection({ checks }: ScanPlan, { paint, verbose }: Print): string {
  const lines = CATEGORY_KEYS.flatMap((category) => {
    const own = checks.filter((check) => check.category === category);
    const subjects = own.reduce((sum, check) => sum + check.subjects, 0);
    const heading = `  ${CATEGORIES[category].title}: ${counted(own.length, "check")}, ${counted(subjects, "subject")}`;
    return [
      heading,
      ...(verbose
        ? own.map(({ check, title, subjects: count }) =>
            paint("dim", `    ${plainText(title)} (${check}): ${count}`),
          )
        : []),
    ];
  });
  const total = checks.reduce((sum, { subjects }) => sum + subjects, 0);
  return [
    paint("bold", `Checks: ${checks.length}, on ${counted(total, "subject")} known so far`),
    ...lines,
  ].join("\n");
}
