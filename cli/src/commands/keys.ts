import { PLAN_NAMES, SCOPES } from "@glovebox/contract";
import type { Command } from "commander";
import { parseKeyOptions, type RawKeyOptions } from "../keys/options.ts";
import { parseSettings } from "../settings.ts";
import { readRunning } from "../standalone/running-file.ts";
import { UserError } from "../user-error.ts";

/** `glovebox keys`: API keys, straight in the database. */
export function addKeysCommand(program: Command): void {
  const keys = program.command("keys").description("API keys of a service");
  keys
    .command("create")
    .description("create an API key, and its account where there is none; prints the key, once")
    .requiredOption("--account <name>", "account that the key belongs to")
    .requiredOption("--plan <plan>", `plan that the account has from now on: ${PLAN_NAMES.join(", ")}`)
    .option("--name <name>", "what to call the key", "cli")
    .option("--scopes <list>", `what the key may do, with commas: ${SCOPES.join(", ")} (default: everything)`)
    .option("--expires <date>", "when it ends, such as 2027-01-31")
    .addHelpText("after", "\nUses DATABASE_URL, or the service that runs on GLOVEBOX_DATA_DIR.")
    .action(async (raw: RawKeyOptions) => {
      const options = parseKeyOptions(raw, new Date());
      const { createKey } = await import("../keys/create-key.ts"); // only here: `scan` does without its weight
      console.log(await createKey(options, databaseUrl()));
    });
}

function databaseUrl(): string {
  const { settings } = parseSettings(process.env, ["databaseUrl", "dataDir"]);
  const url = settings.databaseUrl ?? readRunning(settings.dataDir)?.databaseUrl;
  if (url !== undefined) return url;
  throw new UserError(`No DATABASE_URL is set, and no glovebox runs on ${settings.dataDir}; start it first.`);
}
