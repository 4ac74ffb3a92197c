import { ROLES } from "@glovebox/contract";
import type { Command } from "commander";
import { choice, parseOption } from "../command-line.ts";
import { serviceDatabase } from "../service-database.ts";

const WHERE =
  "\nUses DATABASE_URL, or the service that runs on GLOVEBOX_DATA_DIR; links begin with GLOVEBOX_PUBLIC_URL.";

/** `glovebox users`: who may sign in to the dashboard. The store is imported only when a command runs. */
export function addUsersCommand(program: Command): void {
  const users = program.command("users").description("users of the dashboard of a service");
  users
    .command("list")
    .description("list users, open invitations, and owners of accounts who are not invited yet")
    .addHelpText("after", WHERE)
    .action(async () => {
      const { listUsers } = await import("../users/users.ts");
      const { renderUsers } = await import("../users/render-users.ts");
      console.log(renderUsers(await listUsers(serviceDatabase())));
    });
  users
    .command("invite")
    .description("print a one-time link that creates a user; it expires after seven days")
    .option("--email <address>", "address to invite (default: the owner in the accounts file)")
    .option("--account <name>", "account to join")
    .option(
      "--role <role>",
      `role in the account: ${ROLES.join(", ")} (default: member; owner for the owner)`,
    )
    .option("--administrator", "administrator of the whole service")
    .addHelpText("after", WHERE)
    .action(
      async ({
        role,
        ...options
      }: {
        readonly email?: string;
        readonly account?: string;
        readonly role?: string;
        readonly administrator?: true;
      }) => {
        const { invite } = await import("../users/users.ts");
        const parsed = parseOption("--role", role, choice(ROLES));
        console.log(await invite({ ...options, role: parsed }, serviceDatabase()));
      },
    );
  addChanges(users);
}

function addChanges(users: Command): void {
  const forUser = (name: string, description: string) =>
    users
      .command(name)
      .description(description)
      .argument("<email>", "address of the user")
      .addHelpText("after", WHERE);
  forUser("reset", "print a one-time link that sets a new password; it expires after one day")
    .option("--without-passkeys", "remove the passkeys of a user who has lost them")
    .action(async (email: string, { withoutPasskeys = false }: { withoutPasskeys?: boolean }) => {
      const { resetLink } = await import("../users/users.ts");
      console.log(await resetLink(email, { withoutPasskeys }, serviceDatabase()));
    });
  forUser("disable", "disable the user, and end all sessions").action((email: string) =>
    change(email, { isDisabled: true }, "is disabled"),
  );
  forUser("enable", "let a disabled user sign in again").action((email: string) =>
    change(email, { isDisabled: false }, "may sign in"),
  );
  forUser("administrator", "make the user an administrator of the whole service, or no longer one")
    .option("--revoke", "no longer")
    .action((email: string, { revoke = false }: { revoke?: boolean }) =>
      change(email, { isAdministrator: !revoke }, revoke ? "is not an administrator" : "is an administrator"),
    );
}

async function change(
  email: string,
  to: { isDisabled: boolean } | { isAdministrator: boolean },
  done: string,
): Promise<void> {
  const { changeUser } = await import("../users/users.ts");
  await changeUser(email, to, serviceDatabase());
  console.log(`${email} ${done}.`);
}
