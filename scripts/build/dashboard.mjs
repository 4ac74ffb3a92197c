// The dashboard: bundled by Vite, and compressed once here instead of at every request.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const compressible = /\.(js|css|svg)$/;

/**
 * Builds the dashboard of the repository `folder` into the folder `target`, each asset with a `.br` and a `.gz` beside it.
 * Returns the paths of the modules in it, in the form of a metafile of esbuild.
 */
export async function buildDashboard(folder, target) {
  process.env.NODE_ENV = "production"; // Vite keeps the value of a test runner, which has React's development build
  const { build } = await import("vite");
  const { output } = await build({
    configFile: join(folder, "dashboard/vite.config.ts"),
    root: join(folder, "dashboard"),
    logLevel: "error",
    build: { outDir: target },
  });
  const assets = join(target, "assets");
  for (const name of readdirSync(assets)) if (compressible.test(name)) compress(join(assets, name));
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? []);
  const files = modules.filter((id) => !id.startsWith("\0")).map((id) => [id.split("?")[0], {}]);
  return { inputs: Object.fromEntries(files) };
}

function compress(path) {
  const content = readFileSync(path);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: quality }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}

/** Removes from the folder `published` what the build in `staging` did not make: names with hashes change with their content. */
export function removeStale(staging, published) {
  const made = new Set(readdirSync(staging, { recursive: true }));
  for (const path of listIfThere(published))
    if (!made.has(path)) rmSync(join(published, path), { recursive: true, force: true });
}

function listIfThere(folder) {
  try {
    return readdirSync(folder, { recursive: true });
  } catch {
    return [];
  }
}
