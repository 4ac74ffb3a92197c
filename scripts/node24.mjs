// Which Node runs Glovebox: this one when it is new enough, else the one that `npm ci` installed.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Path of a Node executable of version 24 or later. Throws, with what to do, when there is none. */
export function findNode24(root) {
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  const installed = fileURLToPath(
    new URL(`node_modules/node-${process.platform}-${process.arch}/bin/node`, root),
  );
  if (existsSync(installed)) return installed;
  throw new Error(
    `Glovebox needs Node 24 and found ${process.version}; for ${process.platform}-${process.arch} install it yourself.`,
  );
}
