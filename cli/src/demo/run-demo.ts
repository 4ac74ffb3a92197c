import { join } from "node:path";
import { startDemo, type DemoOptions } from "@glovebox/demo";
import { listening } from "../standalone/listening.ts";
import { announce } from "./announcement.ts";
import { endWithParent } from "./end-with-parent.ts";
import { portOf, type RawDemoOptions } from "./options.ts";

/**
 * Serves the demo target until the process ends: it holds nothing that would have to be put in order.
 * @returns what to print about it.
 * @throws UserError when it cannot have its port.
 */
export async function runDemo(raw: RawDemoOptions, certificateDir: string): Promise<string> {
  const options = optionsOf(raw, certificateDir);
  const place = { port: "--port", host: "--port", address: `127.0.0.1:${options.port}` };
  const { url } = await listening(place, () => startDemo(options));
  const ca = join(certificateDir, "ca.pem");
  return [
    `Demo target, ${options.variant === "hardened" ? "hardened" : "vulnerable on purpose"}: ${url}`,
    "Scan it:",
    `npx glovebox scan ${url} --spec ${url}/openapi.json --allow-private --ca ${shellQuoted(ca)}`,
  ].join("\n");
}

/** Serves the demo target to the parent process that started this one, and ends with it. */
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
  port: portOf(raw),
  certificateDir,
});

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
