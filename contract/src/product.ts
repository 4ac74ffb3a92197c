/**
 * The version of every part: command, scanner, images, chart, reports. `npm run release -- version` writes it here, and
 * `npm run release -- check` compares it with the manifests.
 */
export const VERSION = "0.3.0";

/** The npm package that has the command; a release names it after its owner, `@owner/glovebox`. */
export const PACKAGE_NAME = "glovebox";
