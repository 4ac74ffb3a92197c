import { parseArgs } from "node:util";
import { NUISANCES } from "./src/detection/nuisances.ts";
import { ROWS } from "./src/detection/rows/index.ts";
import { categoryTable, checkTable, trialTable, unlabelled } from "./src/detection/summary.ts";
import { runTrials, type Trial } from "./src/detection/trial.ts";

/** `detection [--only NUISANCE]`: scans both sides of the labelled API behind each nuisance, and prints what was found. */
const { values } = parseArgs({ options: { only: { type: "string" } } });
const nuisances = Object.entries(NUISANCES).filter(
  ([name]) => values.only === undefined || values.only === name,
);
if (nuisances.length === 0) throw new Error(`--only: must be one of ${Object.keys(NUISANCES).join(", ")}`);

const trials: Trial[] = [];
for (const nuisance of nuisances) {
  console.error(`  ${nuisance[0]}: ${nuisance[1].what}`);
  trials.push(...(await runTrials(ROWS, nuisance)));
}

for (const table of [checkTable(trials), categoryTable(trials), trialTable(trials)])
  console.log(`${table}\n`);
const none = unlabelled(ROWS);
if (none.length > 0) console.log(`No labelled target: ${none.join(", ")}\n`);

const missesOf = ({ nuisance, missed }: Trial): string[] =>
  missed.map(({ checks, at }) => `missed: ${checks.join(" or ")} at ${at} (in front: ${nuisance})`);
const wrong = [
  ...trials.flatMap(missesOf),
  ...trials.flatMap(({ nuisance, side, alarms }) =>
    alarms.map(
      ({ check, severity, places }) =>
        `false alarm: ${severity} ${check} at ${places[0]} (${side} side; in front: ${nuisance})`,
    ),
  ),
  ...trials
    .filter(({ flattered }) => flattered)
    .map(
      ({ nuisance, side, outcome }) =>
        `better than what was learned: ${outcome} (${side} side; in front: ${nuisance})`,
    ),
];
for (const { nuisance, wavering } of trials)
  for (const { checks, at } of wavering)
    console.log(`found by the second scan alone: ${checks.join(" or ")} at ${at} (in front: ${nuisance})`);
for (const line of wrong) console.log(line);
if (wrong.length > 0) process.exitCode = 1;
