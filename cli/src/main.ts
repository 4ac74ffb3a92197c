import { VERSION } from "@glovebox/contract";
import { SettingsError } from "@glovebox/settings";
import { Command, CommanderError } from "commander";
import { addDemoCommand } from "./commands/demo.ts";
import { addDiffCommand } from "./commands/diff.ts";
import { addKeysCommand } from "./commands/keys.ts";
import { addMaskIdentitiesCommand } from "./commands/mask-identities.ts";
import { addMcpCommand } from "./commands/mcp.ts";
import { addScanCommand } from "./commands/scan.ts";
import { addUsersCommand } from "./commands/users.ts";
import { addVerifyCommand } from "./commands/verify.ts";
import { UserError } from "./command-line.ts";

const EXIT_UNUSABLE = 2;

/** The `glovebox` command. */
async function main(): Promise<void> {
  const program = new Command("glovebox")
    .description("Scans HTTP APIs for security weaknesses from outside.")
    .version(VERSION)
    .exitOverride();
  addScanCommand(program);
  addVerifyCommand(program);
  addDiffCommand(program);
  addMcpCommand(program);
  addMaskIdentitiesCommand(program);
  program
    .command("serve")
    .description("run the REST service on this machine, with a demo target to try it on")
    .addHelpText("after", "\nSettings are environment variables: docs/settings.md lists them.")
    .action(async () => {
      const { serveStandalone } = await import("./standalone/serve.ts"); // only here: `scan` does not need what it imports
      await serveStandalone();
    });
  addKeysCommand(program);
  addUsersCommand(program);
  addDemoCommand(program);
  await program.parseAsync();
}

function onFailure(error: unknown): void {
  process.exitCode = EXIT_UNUSABLE;
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_UNUSABLE; // it has printed its message, or the help
  } else if (error instanceof UserError || error instanceof SettingsError) {
    console.error(`glovebox: ${error.message}`);
  } else {
    console.error(`glovebox: unexpected failure: ${error instanceof Error ? error.message : String(error)}`);
  }
}

// EPIPE: a reader such as `head` has closed the pipe.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

await main().catch(onFailure);
