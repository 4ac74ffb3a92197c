import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { IDENTITIES_FILE, PACKAGE_NAME } from "@glovebox/contract";
import { shopIdentitiesFile, startDemo, type DemoOptions } from "@glovebox/demo";
import { wholeNumber } from "@glovebox/settings";
import { parseOption } from "../command-line.ts";
import { shellQuoted } from "../command-line.ts";
import { listening } from "../command-line.ts";
import { announce } from "./demo-process.ts";

/** Options of `glovebox demo` as the command line gives them. */
export interface RawDemoOptions {
  readonly port: string;
  readonly hardened?: boolean;
  readonly shop?: boolean;
  readonly certificates?: string;
  readonly supervised?: boolean;
}

/**
 * Serves the demo target until the process ends; it needs no shutdown.
 * @returns what to print about it.
 * @throws UserError when an option cannot be used, or the port cannot be had.
 */
export async function runDemo(raw: RawDemoOptions, certificateDir: string): Promise<string> {
  const options = optionsOf(raw, certificateDir);
  const listenAddress = { port: "--port", host: "--port", address: `127.0.0.1:${options.port}` };
  const { url, shopUrl } = await listening(listenAddress, () => startDemo(options));
  const target = raw.shop ? shopUrl : url;
  const ca = join(certificateDir, "ca.pem");
  const scan = `npx ${PACKAGE_NAME} scan ${target} --spec ${target}/openapi.json --allow-private --ca ${shellQuoted(ca)}`;
  return [
    `Demo target, ${options.variant === "hardened" ? "hardened" : "vulnerable on purpose"}: ${target}`,
    ...(raw.shop
      ? ["Scan it as its users:", `${scan} --identity-file ${shellQuoted(writtenIdentities(certificateDir))}`]
      : ["Scan it:", scan]),
  ].join("\n");
}

/** The path of a new file with the users of the shop. */
function writtenIdentities(folder: string): string {
  const path = join(folder, IDENTITIES_FILE);
  writeFileSync(path, shopIdentitiesFile());
  return path;
}

/** Serves the demo target for the parent process, and exits with it. */
export async function runSupervised(raw: RawDemoOptions, certificateDir: string): Promise<void> {
  endWithParent();
  try {
    const { url, caPem } = await startDemo(optionsOf(raw, certificateDir));
    announce({ url, caPem });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    announce({ failure: message, ...(code === undefined ? {} : { code }) });
    process.exitCode = 2;
  }
}

const optionsOf = (raw: RawDemoOptions, certificateDir: string): DemoOptions => ({
  variant: raw.hardened ? "hardened" : "vulnerable",
  port: parseOption("--port", raw.port, wholeNumber(0, 65_535)),
  certificateDir,
  ...(raw.shop && { only: "shop" }),
});

// In a separate thread: while SQLite works on an injected statement, nothing else happens in the main one.
const WATCH = `
  const { Socket } = require("node:net");
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: 0 }).on("error", end).on("close", end).resume();
`;

/** Ends this process when its standard input closes, because its parent has exited. It must be a pipe. */
const endWithParent = (): void => new Worker(WATCH, { eval: true }).unref();
