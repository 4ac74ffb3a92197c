// Lets one way of naming a file work from source and from a bundle. In the source of a package
//   new URL("../migrations", import.meta.url)               a file or folder of that package
//   new URL("./spec-worker.ts", import.meta.url)            another entry point
//   new URL("../../../dist/dashboard", import.meta.url)     the dashboard, which the build makes
//   createRequire(import.meta.url).resolve("swagger-ui-dist/package.json")   a dependency named below
// are copied (or bundled) into dist/ and the expression is rewritten to point there.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Dependencies whose files are served, with those files. */
const shippedDependencies = {
  "swagger-ui-dist": [
    "package.json",
    "LICENSE",
    "NOTICE",
    "swagger-ui-bundle.js",
    "swagger-ui.css",
    "favicon-32x32.png",
  ],
};
const urlOfFile = /new URL\(\s*"(\.\.?\/[^"]+)",\s*import\.meta\.url,?\s*\)/g;
const manifestOfPackage = /createRequire\(import\.meta\.url\)\.resolve\(\s*"([^"]+)\/package\.json",?\s*\)/g;

/** An esbuild plugin; fills `assets` with target (relative to dist/) → source file. */
export function shipAssets({ folder, packages, entryPoints, assets }) {
  const filter = /\/src\/.*\.ts$/;
  const roots = packages.map((name) => join(folder, name));
  const scope = { folder, roots, entryPoints, assets };
  return {
    name: "ship-assets",
    setup(esbuild) {
      esbuild.onLoad({ filter }, ({ path }) => {
        if (!roots.some((root) => path.startsWith(`${root}/src/`))) return undefined;
        const source = readFileSync(path, "utf8");
        return { loader: "ts", contents: rewritePackages(rewriteUrls(source, path, scope), scope) };
      });
    },
  };
}

function rewriteUrls(source, path, { folder, roots, entryPoints, assets }) {
  return source.replace(urlOfFile, (expression, specifier) => {
    const target = resolve(dirname(path), specifier);
    if (target.endsWith(".ts")) return fromBundle(`${entryNamed(target, { folder, entryPoints })}.mjs`);
    if (target === join(folder, "dist/dashboard")) return fromBundle("dashboard");
    const isOurs = roots.some((root) => target.startsWith(`${root}/`));
    if (!isOurs || !statSync(target, { throwIfNoEntry: false })) return expression;
    for (const file of filesAt(target)) assets.set(join(basename(target), file), join(target, file));
    return fromBundle(basename(target));
  });
}

function rewritePackages(source, { folder, assets }) {
  return source.replace(manifestOfPackage, (expression, name) => {
    if (!(name in shippedDependencies)) return expression;
    for (const file of shippedDependencies[name])
      assets.set(join(name, file), join(folder, "node_modules", name, file));
    return `bundleFileURLToPath(${fromBundle(`${name}/package.json`)})`; // imported by the banner of every bundle
  });
}

function entryNamed(target, { folder, entryPoints }) {
  const entry = Object.entries(entryPoints).find(([, source]) => join(folder, source) === target);
  if (!entry)
    throw new Error(`${target} is started by its URL but is not an entry point of scripts/build.mjs`);
  return entry[0];
}

const fromBundle = (path) => `new URL("./${path}", import.meta.url)`;

/** Paths relative to `target`; the empty path when it is a file. */
function filesAt(target) {
  if (!statSync(target).isDirectory()) return [""];
  return readdirSync(target, { recursive: true }).filter((path) => statSync(join(target, path)).isFile());
}
