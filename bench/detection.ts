import { parseArgs } from "node:util";
import { INTERFERENCES } from "./src/detection/interferences.ts";
import { ROWS } from "./src/detection/rows/index.ts";
import { budgetTable, lateIn, runBudgetTrials, type BudgetTrial } from "./src/detection/budgets.ts";
import { categoryTable, checkTable, trialTable } from "./src/detection/summary.ts";
import { harmOf } from "./src/detection/storing.ts";
import { runIdentityTrials, wrongIn, type IdentityTrial } from "./src/detection/identities/trial.ts";
import { runOwnHost, runTrials, type Trial } from "./src/detection/trial.ts";
import { contestTable, runContests, wrongOrder, type Contest } from "./src/detection/twins/contest.ts";
import { undecidedTable } from "./src/detection/undecided.ts";

const OWN_HOSTS = "own hosts";
const STORES_EVERYTHING = "stores everything";
const TWINS = "twins";
const IDENTITIES = "identities";
const BUDGETS = "budgets";
/** Random APIs of one run, each open and guarded. */
const PAIRS = "6";

/**
 * `detection [--only INTERFERENCE|"own hosts"|"stores everything"|identities|budgets|twins] [--check CHECK] [--seed N] [--pairs N]`: scans
 * both sides of the labelled API behind each kind of interference, and of each separate host, and prints what was found; an API that
 * stores everything, to see what is left behind; parts of the labelled API with few requests and with many; the demo's shop, as nobody and as its users; and random APIs, open and guarded. With
 * a check, only the rows at its locations, with nothing in front.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    check: { type: "string" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    pairs: { type: "string", default: PAIRS },
  },
});
const { only, check, seed, pairs } = values;
const locations = new Set(
  ROWS.filter(({ checks, host }) => host === undefined && checks.includes(check ?? "")).map(({ at }) => at),
);
// Rows at one location may share its routes.
const rows = ROWS.filter(
  (row) => check === undefined || (row.host ? row.checks.includes(check) : locations.has(row.at)),
);
if (rows.length === 0) throw new Error(`--check: no row is about ${check}`);
const interferences = Object.entries(INTERFERENCES).filter(
  ([name]) => name === (only ?? (check ? "none" : name)),
);
const OTHERS: readonly string[] = [OWN_HOSTS, STORES_EVERYTHING, TWINS, IDENTITIES, BUDGETS];
if (interferences.length === 0 && !OTHERS.includes(only ?? ""))
  throw new Error(`--only: must be one of ${[...Object.keys(INTERFERENCES), ...OTHERS].join(", ")}`);
const [firstSeed, count] = [Number(seed), Number(pairs)];
if (!Number.isSafeInteger(firstSeed)) throw new Error("--seed: must be a whole number");
if (!(Number.isSafeInteger(count) && count > 0)) throw new Error("--pairs: must be a whole number above 0");

const trials: Trial[] = [];
const shared = rows.filter(({ host }) => host === undefined);
for (const interference of shared.length > 0 ? interferences : []) {
  console.error(`  ${interference[0]}: ${interference[1].what}`);
  trials.push(...(await runTrials(shared, interference)));
}
for (const row of only === undefined || only === OWN_HOSTS
  ? rows.filter(({ host }) => host !== undefined)
  : []) {
  console.error(`  own host: ${row.checks[0]}`);
  trials.push(...(await runOwnHost(row)));
}

const harm: string[] = [];
if (check === undefined && (only === undefined || only === STORES_EVERYTHING))
  for (const given of ["with its document", "without a document"] as const) {
    console.error(`  ${STORES_EVERYTHING}, ${given}`);
    harm.push(
      ...(await harmOf(given)).map((line) => `harm: ${line} (an API that ${STORES_EVERYTHING}, ${given})`),
    );
  }

const signedIn: IdentityTrial[] = [];
if (check === undefined && (only === undefined || only === IDENTITIES)) {
  console.error(
    `  ${IDENTITIES}: the demo's shop, as nobody, as its users and as users who register themselves`,
  );
  signedIn.push(...(await runIdentityTrials()));
}

const budgets: BudgetTrial[] = [];
if (check === undefined && (only === undefined || only === BUDGETS)) {
  console.error(`  ${BUDGETS}: parts of the labelled API, with few requests and with many`);
  budgets.push(...(await runBudgetTrials(shared)));
}

const contests: Contest[] = [];
if (check === undefined && (only === undefined || only === TWINS)) {
  console.error(`  ${TWINS}: random APIs, open and guarded (--seed ${firstSeed} --pairs ${count})`);
  contests.push(...(await runContests(firstSeed, count)));
}

const tables = [
  ...(trials.length > 0
    ? [
        checkTable(trials),
        categoryTable(trials),
        trialTable(trials),
        undecidedTable(trials.flatMap(({ undecided }) => undecided)),
      ]
    : []),
  ...(signedIn.length > 0 ? [trialTable(signedIn)] : []),
  ...(budgets.length > 0 ? [budgetTable(budgets)] : []),
  ...(contests.length > 0 ? [contestTable(contests)] : []),
];
for (const table of tables) console.log(`${table}\n`);

const missesOf = ({ interference, missed }: Trial): string[] =>
  missed.map(({ checks, at }) => `missed: ${checks.join(" or ")} at ${at} (in front: ${interference})`);
const all = [...trials, ...signedIn];
const wrong = [
  ...harm,
  ...trials.flatMap(missesOf),
  ...wrongIn(signedIn),
  ...(budgets.length > 0 ? lateIn(budgets) : []),
  ...all.flatMap(({ interference, side, falsePositives }) =>
    falsePositives.map(
      ({ check, severity, locations }) =>
        `false positive: ${severity} ${check} at ${locations[0]} (${side} side; in front: ${interference})`,
    ),
  ),
  ...all.flatMap(({ interference, side, misplaced }) =>
    misplaced.map(
      ({ check, locations }) =>
        `evidence of another location: ${check} at ${locations[0]} (${side} side; in front: ${interference})`,
    ),
  ),
  ...all
    .filter(({ flattered }) => flattered && check === undefined)
    .map(
      ({ interference, side, outcome }) =>
        `better than what was learned: ${outcome} (${side} side; in front: ${interference})`,
    ),
];
const inverted = contests.length > 0 ? wrongOrder(contests) : undefined;
if (inverted !== undefined)
  wrong.push(`openness is not what the score tells: ${inverted} (--seed ${firstSeed})`);
for (const { interference, wavering } of trials)
  for (const { checks, at } of wavering)
    console.log(
      `found by the second scan alone: ${checks.join(" or ")} at ${at} (in front: ${interference})`,
    );
for (const { missed, interference } of signedIn)
  for (const { at } of missed) console.log(`not found: ${at} (${interference})`);
for (const line of wrong) console.log(line);
if (wrong.length > 0) process.exitCode = 1;
