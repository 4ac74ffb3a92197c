import { appendFileSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { scanOrderSchema, type ScanOrder } from "@glovebox/contract";
import { terminationMessage, type Frame, type Outcome } from "@glovebox/scan-run";
import { CHECKS } from "./checks/index.ts";
import { deliver } from "./engine/delivery.ts";
import { faultLogLine } from "./engine/fault-log.ts";
import { readIdentitiesFile } from "./identities-file.ts";
import { plan } from "./plan.ts";
import { scan } from "./scan.ts";
import { tcpReach, addressFamilies } from "./isolation/tcp-reach.ts";

/**
 * `scanner-job [--order FILE] [--identities FILE] [--extra-ca FILE] [--termination-log FILE]`: reads a scan order (JSON) from the
 * file or from stdin, executes it, and prints frames on stdout (contract, frames.ts). The identities (YAML) of a file replace
 * those of the order; a file that cannot be used fails the scan. The certificates (PEM) of the other file are trusted beside
 * those of the order. Exit code 0 when an outcome was delivered, be it a report or a failure; 1 when the order
 * or the certificates were unusable or the scanner itself broke.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      order: { type: "string" },
      identities: { type: "string" },
      "extra-ca": { type: "string" },
      "termination-log": { type: "string" },
    },
  });
  const given = parseOrder(values.order === undefined ? await text(process.stdin) : readText(values.order));
  const extraCa = (given.extraCa ?? "") + certificatesIn(values["extra-ca"]);
  const report = (outcome: Outcome): void => deliverTo(values["termination-log"], outcome);
  const mounted = values.identities === undefined ? undefined : readIdentitiesFile(values.identities);
  if (mounted && "failure" in mounted) return report({ status: "failed", failure: mounted.failure });
  const order = { ...given, ...mounted, ...(extraCa !== "" && { extraCa }) };
  const clock = {
    now: () => Number(process.hrtime.bigint()) / 1e6, // `performance` loads much more at the start
    today: () => new Date(),
  };
  if (order.plan) return printPlan(await plan(order, { checks: CHECKS, ...clock }));
  const outcome = await scan(order, {
    checks: CHECKS,
    ...clock,
    onProgress: (category, done, planned) => print({ frame: "progress", category, done, planned }),
    onWrite: (write) => print({ frame: "write", write }),
    onFault: onceEach((source, error) => console.error(faultLogLine(source, error))),
    reach: tcpReach,
    families: () => addressFamilies(),
    wait,
    ...(order.mode === "active" && { cancelled: onTermination() }),
  });
  report(outcome);
}

function deliverTo(terminationLog: string | undefined, outcome: Outcome): void {
  const frames = deliver(outcome);
  for (const frame of frames) print(frame);
  if (terminationLog !== undefined) appendFileSync(terminationLog, terminationMessage(frames));
}

/** An active scan cleans up before it ends. */
function onTermination(): AbortSignal {
  const cancel = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => cancel.abort());
  return cancel.signal;
}

function printPlan(made: Awaited<ReturnType<typeof plan>>): void {
  for (const frame of "code" in made ? deliver({ status: "failed", failure: made }) : made) print(frame);
}

/** Reports only the first error of each check: a check may throw for every operation. */
function onceEach(report: (source: string, error: unknown) => void) {
  const reported = new Set<string>();
  return ({ id }: { readonly id: string }, error: unknown): void => {
    if (reported.has(id)) return;
    reported.add(id);
    report(id, error);
  };
}

function parseOrder(json: string): ScanOrder {
  const order = scanOrderSchema.safeParse(JSON.parse(json));
  if (order.success) return order.data;
  const { path, message } = order.error.issues[0]!;
  throw new Error(`The order is unusable: ${path.join(".")}: ${message}`);
}

function certificatesIn(file: string | undefined): string {
  if (file === undefined) return "";
  const pem = readText(file);
  if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  throw new Error(`${file} holds no certificate in PEM`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

const print = (frame: Frame): void => void process.stdout.write(`${JSON.stringify(frame)}\n`);

// No top-level await: the bundle is CommonJS. The exit code says failure until an outcome is delivered.
process.exitCode = 1;
main().then(
  () => (process.exitCode = 0),
  (error: unknown) => console.error(error),
);
