import { parseTargetUrl } from "@glovebox/contract";
import type { Command } from "commander";
import { UserError, collected, parseOption } from "../command-line.ts";
import { readIdentities } from "../identities/identities.ts";
import { readReport } from "../report/read-report.ts";
import { parseScanOptions } from "../scan/options.ts";
import { withCallerOptions, type RawCallerOptions } from "../scan/shared-options.ts";
import { scanHere } from "../scan/scan-here.ts";

interface RawMcpOptions extends RawCallerOptions {
  readonly allowScan?: readonly string[];
}

/** `glovebox mcp`: the tools of the Model Context Protocol on standard input and output. */
export function addMcpCommand(program: Command): void {
  withCallerOptions(program.command("mcp"))
    .description(
      "serve scans and findings to a model over standard input and output (Model Context Protocol)",
    )
    .argument("[reports...]", "report to read and explain: the output of `scan --format json`")
    .option(
      "--allow-scan <host>",
      "a host that the model may scan, such as api.example.com or 127.0.0.1:8443; may be repeated",
      collected,
    )
    .addHelpText("after", "\nWithout --allow-scan the tools only read, and send nothing.")
    .action(async (paths: string[], raw: RawMcpOptions) => {
      await serve(paths, raw);
    });
}

async function serve(paths: readonly string[], { allowScan = [], ...given }: RawMcpOptions): Promise<void> {
  const reports = paths.map(readReport);
  const hosts = new Set(allowScan.map((host) => parseOption("--allow-scan", host, hostName)));
  // The model chooses among the hosts, and would choose who gets the credentials.
  if (hosts.size > 1 && readIdentities(given, { environment: process.env }))
    throw new UserError("--allow-scan: must name one host only where scans have identities");
  const interrupt = new AbortController();
  // Only here: other commands do not need what they import.
  const { serveMcpOverStdio } = await import("@glovebox/api/mcp");
  const { filtersWithin, localCommands } = await import("../mcp/local-commands.ts");
  const server = serveMcpOverStdio(
    localCommands({
      ...{ reports, hosts },
      optionsOf: ({ url, specUrl, context, ...filters }) =>
        parseScanOptions(
          url,
          {
            ...given,
            ...filtersWithin(given, filters),
            // An address, never a path: the model must not name files of this machine.
            ...(specUrl !== undefined && { spec: parseTargetUrl("specUrl", specUrl).href }),
            ...(context !== undefined && { context }),
          },
          process.env,
        ),
      scan: (options) => scanHere(options, { signal: interrupt.signal }),
      now: () => new Date(),
    }),
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void stop());
  process.stdin.once("close", () => void stop());

  async function stop(): Promise<void> {
    interrupt.abort();
    await server.close();
  }
}

function hostName(text: string): string {
  const url = URL.parse(`https://${text}`);
  if (!url || url.href !== `https://${url.host}/`)
    throw new Error("must be a host, with a port unless it is 443");
  return url.host;
}
