import type { Command } from "commander";

/** `glovebox serve`: the whole service on this machine, until SIGINT or SIGTERM. */
export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("run the REST service on this machine, with a demo target to try it on")
    .addHelpText("after", "\nSettings are environment variables: docs/settings.md lists them.")
    .action(async () => {
      const { serve } = await import("../standalone/serve.ts"); // only here: `scan` does without its weight
      await serve();
    });
}
