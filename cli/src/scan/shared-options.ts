import type { Command } from "commander";
import { collected } from "../command-line.ts";
import type { RawScanOptions } from "./options.ts";

/** Of `--active`, which only a person gives: never a model. */
export const ACTIVE =
  "you own the target, it is a test system, and you consent to writes: the scan registers two users, creates objects as one, tries to change and delete them as the other, and deletes what it created; it changes nothing else, and reports every write";

/** The options of every command that scans from this process: as whom it sends requests, and which operations it may call. */
export const withCallerOptions = (command: Command): Command =>
  command
    .option(
      "--identity-file <file>",
      "identities that the scan signs in as (YAML or JSON; docs/identities.md). GLOVEBOX_IDENTITIES may hold the same text",
    )
    .option(
      "-H, --header <header>",
      "header of every request, as 'Name: value': the identity `default`; may be repeated. Other users of this machine can see arguments: write 'Authorization: Bearer env:TOKEN' for a variable, or 'Authorization: Bearer @FILE' for the contents of a file",
      collected,
    )
    .option(
      "--include <filter>",
      "call only these operations: a method, a path, both, tag:NAME or id:OPERATION_ID, such as 'POST /orders/*' or '/billing/**'; may be repeated",
      collected,
    )
    .option(
      "--exclude <filter>",
      "do not call these operations; may be repeated, and wins over --include",
      collected,
    )
    .option("--allow-private", "allow private addresses (never a cloud's metadata service)")
    .option("--ca <file>", "additional certificate authority (PEM) to trust");

export type RawCallerOptions = Pick<
  RawScanOptions,
  "identityFile" | "header" | "include" | "exclude" | "allowPrivate" | "ca"
>;
