import { readFileSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { accepts } from "../http/accept-encoding.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};
/** Encodings that the build made, the smaller first (RFC 9110, section 12.5.3). */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** The files of the built dashboard. */
export interface DashboardFiles {
  /** The page, into which the theme is written. */
  readonly page: string;
  /** Paths of the assets below the root, such as `/assets/index-BYx1.js`. Their names contain a hash of their content. */
  readonly paths: readonly string[];
  /** An asset in the best encoding that the client accepts; undefined for any other path. */
  read(
    path: string,
    acceptEncoding: string | undefined,
  ): Promise<
    { readonly body: Buffer; readonly type: string; readonly encoding: string | undefined } | undefined
  >;
}

/** Where `npm run build` puts the dashboard, and where it is in an image and in the npm package. */
export const builtDashboard = (): string =>
  fileURLToPath(new URL("../../../dist/dashboard", import.meta.url));

/** The files of the folder; undefined where the dashboard has not been built. */
export function openDashboardFiles(folder: string): DashboardFiles | undefined {
  const files = new Set(listFiles(folder));
  if (!files.has("/index.html")) return undefined;
  const assets = [...files].filter((path) => path.startsWith("/assets/") && extname(path) in TYPES);
  const known = new Set(assets);
  return {
    page: readFileSync(join(folder, "index.html"), "utf8"),
    paths: assets,
    async read(path, acceptEncoding) {
      if (!known.has(path)) return undefined;
      const [encoding, suffix] =
        ENCODINGS.find(([name, end]) => files.has(path + end) && accepts(acceptEncoding, name)) ?? [];
      const body = await readFile(join(folder, path + (suffix ?? "")));
      return { body, type: TYPES[extname(path)]!, encoding };
    },
  };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
      (path) => `/${path.split(sep).join("/")}`,
    );
  } catch {
    return [];
  }
}
