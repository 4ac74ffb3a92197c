import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Escapes what esbuild leaves in patterns and templates: one other character doubles what V8 takes for the text of a whole
 * bundle. Needs the metafile.
 */
export const asciiOnly = {
  name: "ascii-only",
  setup(esbuild) {
    const folder = esbuild.initialOptions.absWorkingDir;
    esbuild.onEnd(({ metafile, errors }) => {
      if (errors.length > 0) return;
      for (const path of Object.keys(metafile.outputs))
        if (/\.[cm]?js$/.test(path)) escapeIn(join(folder, path));
    });
  },
};

function escapeIn(file) {
  const text = readFileSync(file, "utf8");
  const ascii = inAscii(text);
  if (ascii !== text) writeFileSync(file, ascii);
}

const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
