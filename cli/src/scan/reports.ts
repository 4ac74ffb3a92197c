import { FORMAT_NAMES, type Format } from "@glovebox/report";
import { UserError, choice, parseOption } from "../command-line.ts";
import { writable } from "../report/output.ts";

/** What a report is written as, and to which file; to stdout where there is none. */
export interface Written<Name extends string = "table" | Format> {
  readonly format: Name;
  readonly output: string | undefined;
}

/** For people in a terminal, and the formats of other tools. */
export const SCAN_FORMATS = ["table", ...FORMAT_NAMES] as const;

/**
 * The reports that were asked for: the first `--output` is of the first `--format`, the second of the second; the last format may be
 * without, and goes to stdout.
 * @throws UserError that names the option and the reason
 */
export function parseReports<Name extends string>(
  { format = [], output = [] }: { format?: readonly string[]; output?: readonly string[] },
  names: readonly [Name, ...Name[]],
): [Written<Name>, ...Written<Name>[]] {
  const formats = format.map((name) => parseOption("--format", name, choice(names)));
  const outputs = output.map((path) => parseOption("--output", path, writable));
  const [first = names[0], ...others] = formats;
  const count = others.length + 1;
  if (outputs.length > count)
    throw new UserError(
      `--output: given ${outputs.length} times, for ${count === 1 ? "one format" : `${count} formats`}`,
    );
  if (count - outputs.length > 1)
    throw new UserError(
      `--output: ${count} formats need at least ${count - 1} files: only the last format goes to stdout`,
    );
  const twice = outputs.find((path, index) => outputs.indexOf(path) !== index);
  if (twice !== undefined) throw new UserError(`--output: ${twice} is given twice`);
  return [
    { format: first, output: outputs[0] },
    ...others.map((name, index): Written<Name> => ({ format: name, output: outputs[index + 1] })),
  ];
}
