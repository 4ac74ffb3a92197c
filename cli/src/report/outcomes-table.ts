import { compareInstances, locationName } from "@glovebox/domain";
import { type Instance } from "@glovebox/contract";
import { counted, plainText } from "@glovebox/report";
import { SEVERITY_COLOURS, SEVERITY_WIDTH } from "./finding-lines.ts";
import { wrapped, type Colour, type Print } from "./text.ts";

/** What became of one instance, as `diff` and `verify` print it. */
export interface Became<Word extends string> {
  readonly instance: Instance;
  readonly is: Word;
  readonly detail?: string;
}

/** One section for each word, in their order: how many, and one line each with its location; `folded` words are only counted. */
export function outcomesTable<Word extends string>(
  all: readonly Became<Word>[],
  { colours, folded }: { colours: Readonly<Record<Word, Colour>>; folded?: Word },
  print: Print,
): string {
  const sections = (Object.entries(colours) as [Word, Colour][]).flatMap(([word, colour]) => {
    const own = all.filter((each) => each.is === word);
    if (own.length === 0) return [];
    const lines = own
      .toSorted((a, b) => compareInstances(a.instance, b.instance))
      .map((each) => line(each, print));
    const title = `${word[0]!.toUpperCase()}${word.slice(1)}: ${counted(own.length, "location")}`;
    return [[print.paint(colour, title), ...(word === folded && !print.verbose ? [] : lines)].join("\n")];
  });
  return sections.length > 0 ? sections.join("\n\n") : "Neither report has findings.";
}

function line({ instance, detail }: Became<string>, { paint, width }: Print): string {
  const { severity, title, location } = instance;
  const name = paint(SEVERITY_COLOURS[severity], severity.padEnd(SEVERITY_WIDTH));
  const text = `${name}  ${plainText(title)} · ${plainText(locationName(location))}`;
  const indent = " ".repeat(SEVERITY_WIDTH + 2);
  return detail === undefined ? text : `${text}\n${paint("dim", wrapped(detail, { width, indent }))}`;
}
