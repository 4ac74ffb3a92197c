import { SEVERITIES, type Finding, type Instance, type Severity } from "@glovebox/contract";
import { instancesOf, locationName } from "@glovebox/domain";
import { categoryTitles, explanationOf, plainText } from "@glovebox/report";
import { cut, wrapped, type Colour, type Print } from "./text.ts";

export const SEVERITY_COLOURS: Record<Severity, Colour> = {
  critical: "magenta",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "dim",
};
export const SEVERITY_WIDTH = Math.max(...SEVERITIES.map((severity) => severity.length));
const INDENT = " ".repeat(SEVERITY_WIDTH + 2);
/** Locations of one finding that are shown by default. */
const MAX_LOCATIONS = 6;
const MAX_LOCATION_LENGTH = 48;
/** Longer commands are shown in the JSON report only. */
const MAX_CURL_LENGTH = 400;

/** One location of a finding, regardless of the number of checks that saw it there; the first names the cause. */
export interface LocationLine {
  readonly location: string;
  readonly instances: readonly [Instance, ...Instance[]];
}

export const locationLines = (finding: Finding): LocationLine[] =>
  [...Map.groupBy(instancesOf(finding), ({ location }) => locationName(location))].map(
    ([location, instances]) => ({
      location: plainText(location),
      instances: instances as [Instance, ...Instance[]],
    }),
  );

/** A finding: its title, and a line for each location; with all details where they are asked for. */
export function findingLines(finding: Finding, print: Print): string {
  const { severity, title, references } = finding;
  const { paint } = print;
  const name = paint(SEVERITY_COLOURS[severity], severity.padEnd(SEVERITY_WIDTH));
  const cwe = references.cwe === undefined ? "" : paint("dim", `  CWE-${references.cwe}`);
  const heading = `${name}  ${paint("bold", plainText(title))}${tentative(finding)}${cwe}`;
  const locations = locationLines(finding);
  return [heading, ...(print.verbose ? verbose(finding, locations, print) : brief(locations, print))].join(
    "\n",
  );
}

const tentative = ({ confidence }: Finding): string => (confidence === "tentative" ? " (tentative)" : "");

function brief(locations: readonly LocationLine[], { paint, width }: Print): string[] {
  const shown = locations.slice(0, MAX_LOCATIONS);
  const column = Math.min(MAX_LOCATION_LENGTH, Math.max(...shown.map(({ location }) => location.length)));
  const lines = shown.map(({ location, instances: [{ observed }] }) => {
    const left = `${INDENT}${location.padEnd(column)}`;
    const room = width - left.length - 2;
    return room < 20 ? left.trimEnd() : `${left}  ${paint("dim", cut(observed, room))}`.trimEnd();
  });
  const more = locations.length - shown.length;
  const also = otherTitles(locations);
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more: --verbose`] : []).map((text) => INDENT + paint("dim", text)),
    ...(also !== "" ? [INDENT + paint("dim", cut(`Also seen there: ${also}`, width - INDENT.length))] : []),
  ];
}

/** What other checks saw of the same cause. */
function otherTitles(locations: readonly LocationLine[]): string {
  const titles = locations.flatMap(({ instances }) => instances.map(({ title }) => title));
  return [...new Set(titles)].slice(1).join("; ");
}

function verbose(finding: Finding, locations: readonly LocationLine[], { paint, width }: Print): string[] {
  const { check, confidence, references, evidence, remediation } = finding;
  const cvss = references.cvss === undefined ? [] : [references.cvss];
  const owasp = references.owasp === undefined ? [] : [references.owasp];
  const facts = [categoryTitles(finding), confidence, check, ...owasp, ...cvss];
  const field = (name: string, text: string): string =>
    `${INDENT}${`${name}:`.padEnd(8)}${wrapped(text, { width, indent: `${INDENT}        ` }).trimStart()}`;
  return [
    paint("dim", wrapped(facts.join(" · "), { width, indent: INDENT })),
    field("What", explanationOf(finding)),
    field("Why", evidence.rule),
    field("Fix", remediation),
    ...locations.flatMap(({ location, instances }) => [
      `${INDENT}${paint("bold", location)}`,
      ...instances.flatMap((instance) => instanceLines(instance, { check, width })),
    ]),
    "",
  ];
}

function instanceLines(
  { id, check, observed, evidence }: Instance,
  at: { check: string; width: number },
): string[] {
  const indent = `${INDENT}  `;
  const curl = plainText(evidence.curl);
  const by = check === at.check ? "" : ` [${check}]`;
  return [
    wrapped(`${observed}${by} Id ${id}.`, { width: at.width, indent }),
    ...(evidence.pointer === undefined
      ? []
      : [`${indent}${plainText(`In the document at ${evidence.pointer}`)}`]),
    ...(curl !== "" && curl.length <= MAX_CURL_LENGTH ? [`${indent}${curl}`] : []),
  ];
}
