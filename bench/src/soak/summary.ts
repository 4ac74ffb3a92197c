import { longestPause, secondsToEnd } from "../../../test/support/ledger-guarantees.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Exchange, SoakFacts } from "./facts.ts";
import { trendOfLastThird } from "./memory.ts";
import type { Violations } from "./violations.ts";

/** What happened, by kind of request. */
export function exchangeTable({ exchanges }: SoakFacts): string {
  const kinds = [...new Set(exchanges.map(({ what }) => what))].toSorted();
  const rows = kinds.map((kind) => {
    const own = exchanges.filter(({ what }) => what === kind);
    const times = own.map(({ from, to }) => to - from).toSorted((a, b) => a - b);
    const outcomes = Object.entries(Object.groupBy(own, outcomeOf))
      .map(([name, list]) => `${list!.length} ${name}`)
      .join(", ");
    return [
      kind,
      String(own.length),
      outcomes,
      `${times[Math.floor(times.length / 2)]} ms`,
      `${times.at(-1)} ms`,
    ];
  });
  return markdownTable(["Request", "Sent", "Responses", "Median", "Longest"], rows);
}

function outcomeOf({ response }: Exchange): string {
  if (typeof response === "string") return response === "lost" ? "without a response" : "late";
  return response.status < 400 ? "good" : `${response.code ?? response.status}`;
}

export function guaranteeTable(violations: Violations): string {
  const rows = Object.entries(violations).map(([name, list]) => [name, String(list.length)]);
  return markdownTable(["Guarantee", "Violations"], rows);
}

export function memoryTable({ memory, period }: SoakFacts): string {
  const mib = (value: number): string => `${value.toFixed(1)} MiB`;
  const rows = memory.map(({ process, samples }) => {
    const values = samples.map((sample) => sample.mib);
    const trend = trendOfLastThird(samples, period);
    const range = [mib(values[0]!), mib(Math.max(...values)), mib(values.at(-1)!)];
    if (!trend) return [process, ...range, "", "", "not judged"];
    const { meanMib, growthMib, noiseMib, isFlat } = trend;
    const sign = growthMib < 0 ? "" : "+";
    return [
      process,
      ...range,
      `${mib(meanMib)}, ${sign}${mib(growthMib)}`,
      mib(noiseMib),
      isFlat ? "yes" : "NO",
    ];
  });
  return markdownTable(
    ["Process", "First", "Maximum", "Last", "Last third: mean, growth", "Noise", "Flat"],
    rows,
  );
}

/** What was done, in one row each. */
export function workTable(facts: SoakFacts): string {
  const { exports, ledger, deleted, streams, schedules, delivered, outages, submissions } = facts;
  const failures = ledger.scans.flatMap(({ failure }) => failure ?? []);
  const count = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);
  const seconds = [...secondsToEnd(ledger.history).values()].toSorted((a, b) => a - b);
  const rows: [string, string][] = [
    ["Scans", `${ledger.scans.length + deleted.length}, of them ${deleted.length} deleted later`],
    ["Failed", failures.length === 0 ? "0" : `${failures.length}: ${[...new Set(failures)].join(", ")}`],
    ["Submissions of clients", String(submissions.length)],
    ["Runs of schedules", String(count(schedules.map(({ runs }) => runs.length)))],
    ["Event streams", `${streams.length}, of them ${streams.filter(({ end }) => !end).length} interrupted`],
    ["Exports", [...exports].map(([format, times]) => `${times} ${format}`).join(", ")],
    ["Scans delivered to webhooks", String(count(Object.values(delivered).map(({ size }) => size)))],
    [
      "Time from the submission of a scan to its end",
      `median ${seconds[Math.floor(seconds.length / 2)]?.toFixed(0)} s, longest ${seconds.at(-1)?.toFixed(0)} s`,
    ],
    ["Longest time without the start or end of a scan", `${longestPause(ledger.history).toFixed(0)} s`],
    ...outages.map(({ component, service, from, to }): [string, string] => [
      `Outage: ${component}${service === undefined ? "" : ` ${service}`}`,
      `${((to - from) / 1000).toFixed(1)} s`,
    ]),
  ];
  return markdownTable(["What", "How much"], rows);
}
