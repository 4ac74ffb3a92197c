import { DIFFERENCES, diffOf, type Difference } from "@glovebox/domain";
import { plainText } from "@glovebox/report";
import type { Command } from "commander";
import { choice, parseOption } from "../command-line.ts";
import { outcomesTable } from "../report/outcomes-table.ts";
import { printFor, writable, write } from "../report/output.ts";
import { readReport } from "../report/read-report.ts";

const COLOURS = {
  new: "red",
  changed: "yellow",
  "not retested": "cyan",
  fixed: "green",
  unchanged: "dim",
} as const satisfies Record<(typeof DIFFERENCES)[number], string>;

interface RawDiffOptions {
  readonly format?: string;
  readonly output?: string;
  readonly verbose?: boolean;
}

/** `glovebox diff`: what is new, fixed, unchanged and not retested between two reports. Sends nothing. */
export function addDiffCommand(program: Command): void {
  program
    .command("diff")
    .description("compare two reports of one target: what is new, changed, fixed, unchanged and not retested")
    .argument("<old>", "the earlier report: the output of `scan --format json`, or the Scan of the REST API")
    .argument("<new>", "the later report")
    .option("--format <format>", "table for people, json for machines", "table")
    .option("--verbose", "also list unchanged findings")
    .option("--output <file>", "write to a file instead of stdout")
    .addHelpText(
      "after",
      "\nFixed: the later report tested it and found no weakness. Not retested: it did not test it." +
        "\nExits with 0 when nothing is new or more severe, 1 when something is, 2 when a report cannot be read.",
    )
    .action((older: string, newer: string, raw: RawDiffOptions) => {
      process.exitCode = diff(older, newer, raw);
    });
}

function diff(olderPath: string, newerPath: string, raw: RawDiffOptions): number {
  const format = parseOption("--format", raw.format, choice(["table", "json"]));
  const output = parseOption("--output", raw.output, writable);
  const [older, newer] = [readReport(olderPath), readReport(newerPath)];
  const differences = diffOf(older, newer);
  const heading = [older, newer]
    .map(
      ({ url, completedAt, score, grade }) =>
        `${plainText(url)}  ${completedAt}  score ${score}, grade ${grade}`,
    )
    .join("\n");
  write(
    format === "json"
      ? `${JSON.stringify({ old: summaryOf(older), new: summaryOf(newer), differences: differences.map(shape) }, undefined, 2)}\n`
      : `${heading}\n\n${outcomesTable(differences, { colours: COLOURS, folded: "unchanged" }, printFor(output, raw))}\n`,
    output,
  );
  return differences.some(({ is, isWorse }) => is === "new" || isWorse) ? 1 : 0;
}

const summaryOf = ({ id, url, completedAt, score, grade }: ReturnType<typeof readReport>) => ({
  ...{ id, url, completedAt, score, grade },
});

const shape = ({ instance, is, detail }: Difference) => {
  const { id, check, category, title, severity, confidence, location } = instance;
  return {
    is,
    id,
    check,
    category,
    title,
    severity,
    confidence,
    location,
    ...(detail !== undefined && { detail }),
  };
};
