import { join } from "node:path";
import { Option, type Command } from "commander";
import type { RawDemoOptions } from "../demo/run-demo.ts";
import { parseSettings } from "../settings.ts";
import { makeDataDir } from "../standalone/data-dir.ts";

/** `glovebox demo`: runs the demo target on 127.0.0.1 until the process is ended. */
export function addDemoCommand(program: Command): void {
  program
    .command("demo")
    .description("run the demo target, an API that is vulnerable on purpose, on 127.0.0.1")
    .option("--hardened", "the hardened variant without the weaknesses")
    .option("--shop", "only the API with users, for scans with identities")
    .option("--port <n>", "port to listen on; 0 selects a free port", "8443")
    .addOption(new Option("--certificates <folder>").hideHelp())
    // For `glovebox serve`: prints its URL as JSON, and exits when its standard input closes.
    .addOption(new Option("--supervised").hideHelp())
    .addHelpText("after", "\nKeeps its certificate authority in GLOVEBOX_DATA_DIR, as `serve` does.")
    .action(async (raw: RawDemoOptions) => {
      const { runDemo, runSupervised } = await import("../demo/run-demo.ts");
      const certificates = raw.certificates ?? certificatesInDataDir();
      if (raw.supervised) await runSupervised(raw, certificates);
      else console.log(await runDemo(raw, certificates));
    });
}

function certificatesInDataDir(): string {
  const { dataDir } = parseSettings(process.env, ["dataDir"]).settings;
  makeDataDir(dataDir);
  return join(dataDir, "demo");
}
