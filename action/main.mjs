// The GitHub Action: runs `glovebox scan`, and writes annotations, the step's summary and its outputs. No dependencies.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** In a release's tree beside this file, in a clone where `npm run build` puts it. */
const bundles = [
  new URL("bundle/glovebox.mjs", import.meta.url),
  new URL("../dist/glovebox.mjs", import.meta.url),
];
/** Inputs that are options of `glovebox scan`. */
const OPTIONS = [
  "spec",
  "identity-file",
  "context",
  "fail-on",
  "min-score",
  "min-coverage",
  "baseline",
  "suppressions",
  "ca",
  "timeout",
  "max-requests",
];
/** Inputs that are lists, of one value a line, of options that may be repeated. */
const LISTS = ["include", "exclude"];
const FILES = ["sarif", "json", "html", "junit"];
/** GitHub shows ten of each level of one step. */
const MOST_ANNOTATIONS = 10;
/** GitHub refuses a summary above 1 MiB. */
const LONGEST_SUMMARY = 1_000_000;

const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? "").trim();

async function main() {
  const bundle = bundles.find((url) => existsSync(url));
  if (!bundle)
    throw new Error("The action is not built: use a tag action-v… of a release, or run npm run build.");
  if (input("url") === "") throw new Error("The input url is required.");
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), "glovebox-"));
  try {
    const own = (name) => join(folder, name);
    const file = fileURLToPath(bundle);
    process.exitCode = (await maskIdentities(file)) || (await run(file, argumentsOf(own)));
    if (existsSync(own("sarif"))) show(own);
    else output({ sarif: "" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every report goes to a file: nothing of the target is printed where the runner looks for commands. */
function argumentsOf(own) {
  const options = OPTIONS.filter((name) => input(name) !== "").map((name) => `--${name}=${input(name)}`);
  const lists = LISTS.flatMap((name) => linesOf(input(name)).map((line) => `--${name}=${line}`));
  const wanted = FILES.filter((name) => input(name) !== "").map((name) => [name, input(name)]);
  const reports = [
    ["sarif", own("sarif")],
    ["markdown", own("markdown")],
    ["table", own("table")],
    ...wanted,
  ];
  return [
    "scan",
    ...options,
    ...lists,
    ...(input("allow-private") === "true" ? ["--allow-private"] : []),
    ...reports.flatMap(([format, file]) => [`--format=${format}`, `--output=${file}`]),
    "--",
    input("url"),
  ];
}

const linesOf = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Has the runner mask each secret of the identities, before anything else is printed. The exit code. */
async function maskIdentities(bundle) {
  const file = input("identity-file");
  if (file === "" && input("identities") === "" && !process.env.GLOVEBOX_IDENTITIES) return 0;
  return glovebox(bundle, ["mask-identities", ...(file === "" ? [] : [`--identity-file=${file}`])]);
}

/** The exit code; what the command prints is not read for commands of the runner. */
async function run(bundle, args) {
  const token = randomUUID();
  console.log(`::stop-commands::${token}`);
  const code = await glovebox(bundle, args);
  console.log(`::${token}::`);
  return code;
}

/** Runs the command with the output of the action. No token of the workflow reaches it. The exit code. */
function glovebox(bundle, args) {
  const passed = ["PATH", "HOME", "TMPDIR", "TEMP", "SystemRoot"];
  const isPassed = ([name]) => passed.includes(name) || name.startsWith("GLOVEBOX_");
  const env = Object.fromEntries(Object.entries(process.env).filter(isPassed));
  if (input("identities") !== "") env.GLOVEBOX_IDENTITIES = input("identities");
  const child = spawn(process.execPath, [bundle, ...args], { env, stdio: ["ignore", "inherit", "inherit"] });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (exitCode) => resolve(exitCode ?? 2));
  });
}

function show(own) {
  const [{ results, properties }] = JSON.parse(readFileSync(own("sarif"), "utf8")).runs;
  const open = results.filter(({ suppressions }) => !suppressions);
  printTable(readFileSync(own("table"), "utf8"));
  if (input("annotations") !== "false") annotate(open);
  summarize(readFileSync(own("markdown"), "utf8"));
  const { score, grade } = properties;
  output({ sarif: input("sarif"), score, grade, findings: open.length });
}

function printTable(table) {
  const token = randomUUID();
  console.log(`::stop-commands::${token}\n${table}\n::${token}::`);
}

function annotate(results) {
  for (const [level, command] of [
    ["error", "error"],
    ["warning", "warning"],
    ["note", "notice"],
  ])
    for (const result of results.filter((each) => each.level === level).slice(0, MOST_ANNOTATIONS))
      console.log(annotation(command, result));
}

function annotation(command, { message, locations, properties }) {
  const { artifactLocation, region } = locations[0].physicalLocation;
  const file = decodeURIComponent(artifactLocation.uri);
  const isFile = existsSync(join(process.env.GITHUB_WORKSPACE ?? ".", file));
  const at = isFile ? `file=${property(file)},line=${region.startLine},` : "";
  const text = message.text.replaceAll(/\\([\\[\]])/g, "$1");
  const title = property(`${properties.severity}, ${properties.confidence}`);
  return `::${command} ${at}title=${title}::${data(text)}`;
}

// What a workflow command must not contain as it is.
const data = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

function summarize(markdown) {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  const isLong = Buffer.byteLength(markdown) > LONGEST_SUMMARY;
  const cut = Buffer.from(markdown).subarray(0, LONGEST_SUMMARY).toString();
  // Up to a heading, so that no block of code is left open.
  const text = isLong
    ? `${cut.slice(0, cut.lastIndexOf("\n### "))}\n\nThe rest is in the other reports.\n`
    : markdown;
  appendFileSync(file, text);
}

function output(values) {
  const file = process.env.GITHUB_OUTPUT;
  if (!file) return;
  const delimiter = randomUUID();
  for (const [name, value] of Object.entries(values))
    appendFileSync(file, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
}

await main().catch((error) => {
  console.log(`::error title=Glovebox::${data(error.message)}`);
  process.exitCode = 2;
});
