import { chownSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The user that PostgreSQL runs as: it refuses to run as root. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` on Linux; elsewhere an unused id. */
const UNPRIVILEGED: Identity = { uid: 65534, gid: 65534 };

/** The user to run PostgreSQL as; undefined unless this process runs as root. */
export const dropFromRoot = (uid = process.getuid?.()): Identity | undefined =>
  uid === 0 ? UNPRIVILEGED : undefined;

/** The first directory on the way to the path that this user may not enter, if any. */
export function closedTo(identity: Identity | undefined, path: string): string | undefined {
  if (!identity) return undefined;
  return pathTo(path).find((directory) => existsSync(directory) && !mayEnter(identity, directory));
}

/** Makes a directory that only this user, and root, may enter. */
export function makePrivateDirectory(path: string, identity: Identity | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (identity) chownSync(path, identity.uid, identity.gid);
}

function pathTo(path: string): string[] {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  return parent === absolute ? [absolute] : [...pathTo(parent), absolute];
}

function mayEnter({ uid, gid }: Identity, directory: string): boolean {
  const stat = statSync(directory);
  if (stat.uid === uid) return (stat.mode & 0o100) !== 0;
  if (stat.gid === gid) return (stat.mode & 0o010) !== 0;
  return (stat.mode & 0o001) !== 0;
}
