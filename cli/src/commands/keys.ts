import { PLAN_NAMES, SCOPES } from "@glovebox/contract";
import type { Command } from "commander";
import { parseKeyOptions, type RawKeyOptions } from "../keys/options.ts";
import { serviceDatabase } from "../service-database.ts";

const WHERE = "\nUses DATABASE_URL, or the service that runs on GLOVEBOX_DATA_DIR.";

/** `glovebox keys`: manages API keys in the database. The store is imported only when a command runs. */
export function addKeysCommand(program: Command): void {
  const keys = program.command("keys").description("API keys of a service");
  addCreate(keys);
  keys
    .command("list")
    .description("list the keys of an account; never the keys themselves")
    .requiredOption("--account <name>", "account whose keys to list")
    .addHelpText("after", WHERE)
    .action(async ({ account }: { account: string }) => {
      const { listKeys } = await import("../keys/keys.ts");
      const { renderKeys } = await import("../keys/render-keys.ts");
      console.log(renderKeys(await listKeys(account, serviceDatabase())));
    });
  keys
    .command("revoke")
    .description("revoke a key permanently; a running service refuses it immediately")
    .argument("<key_id>", "id of the key, from `glovebox keys list`")
    .addHelpText("after", WHERE)
    .action(async (id: string) => {
      const { revokeKey } = await import("../keys/keys.ts");
      await revokeKey(id, serviceDatabase());
      console.log(`${id} is revoked.`);
    });
}

function addCreate(keys: Command): void {
  keys
    .command("create")
    .description("create an API key, and its account if it does not exist; prints the key once")
    .requiredOption("--account <name>", "account that the key belongs to")
    .requiredOption("--plan <plan>", `plan to set for the account: ${PLAN_NAMES.join(", ")}`)
    .option("--name <name>", "name of the key", "cli")
    .option(
      "--scopes <list>",
      `scopes of the key, separated by commas: ${SCOPES.join(", ")} (default: everything)`,
    )
    .option("--expires <date>", "expiry date, such as 2027-01-31")
    .addHelpText("after", WHERE)
    .action(async (raw: RawKeyOptions) => {
      const options = parseKeyOptions(raw, new Date());
      const { createKey } = await import("../keys/keys.ts");
      console.log(await createKey(options, serviceDatabase()));
    });
}
