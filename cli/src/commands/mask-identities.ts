import type { Command } from "commander";
import { credentialTexts } from "../identities/credential-texts.ts";
import { readIdentities } from "../identities/identities.ts";

/** `glovebox mask-identities`: for the GitHub Action, whose runner hides these values in all that it prints afterwards. */
export function addMaskIdentitiesCommand(program: Command): void {
  program
    .command("mask-identities", { hidden: true })
    .description("print a command of the GitHub runner that masks each credential of the identities")
    .option("--identity-file <file>", "as of `scan`")
    .action((raw: { readonly identityFile?: string }) => {
      const identities = readIdentities(raw, { environment: process.env }) ?? [];
      for (const text of new Set(identities.flatMap(credentialTexts)))
        process.stdout.write(`::add-mask::${escaped(text)}\n`);
    });
}

/** As the runner decodes the data of a command. */
const escaped = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
