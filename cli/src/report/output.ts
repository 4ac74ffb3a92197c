import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { styleText } from "node:util";
import { UserError } from "../command-line.ts";
import { columnsOf, type Print } from "./text.ts";

/** Checked before the scan, so that its report is not lost at the end. */
export function writable(path: string): string {
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    accessSync(file ? path : dirname(resolve(path)), constants.W_OK);
    if (!file?.isDirectory()) return path;
  } catch (cause) {
    throw new Error(`${path} cannot be written`, { cause });
  }
  throw new Error(`${path} is a directory`);
}

/** To the file of `--output`, or to stdout where none is given. */
export function write(text: string, output: string | undefined): void {
  if (output === undefined) return void process.stdout.write(text);
  try {
    writeFileSync(output, text);
  } catch (cause) {
    throw new UserError(`--output: ${output} cannot be written`, { cause });
  }
}

/** How a report is printed there: in colours (unless NO_COLOR) and as wide as the terminal, where it is one. */
export function printFor(output: string | undefined, { verbose = false }: { verbose?: boolean } = {}): Print {
  if (output !== undefined) return { paint: (_colour, text) => text, width: columnsOf({}), verbose };
  return {
    paint: (colour, text) => styleText(colour, text, { stream: process.stdout }),
    width: columnsOf(process.stdout),
    verbose,
  };
}
