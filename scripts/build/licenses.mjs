// The licences of the packages in a bundle, whose texts their licences require to be passed on.
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

// The last node_modules of a path, with any namespace that a plugin put before it.
const packageOfInput = /((?:[^:]*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const licenceFile = /^(licen[cs]e|copying|notice)\b/i;

/**
 * Name, version, licence and licence texts of every package that the bundles contain, sorted by name.
 * `metafiles` come from esbuild, with paths relative to `folder`.
 */
export function thirdPartyLicenses(folder, metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const packages = new Set(inputs.flatMap((path) => packageOfInput.exec(path)?.[1] ?? []));
  const texts = new Set([...packages].map((path) => licenceOf(resolve(folder, path))));
  return [...texts].toSorted((a, b) => (a < b ? -1 : 1)).join("\n");
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(resolve(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => licenceFile.test(file));
  const texts = files.map((file) => readFileSync(resolve(folder, file), "utf8").trim());
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n\n${"-".repeat(80)}\n`;
}
