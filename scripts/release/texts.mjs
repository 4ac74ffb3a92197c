// What a release changes in texts: the changelog, the version in several files, and the chart's knowledge of who released it.

/** The newest section of a changelog that is of a version, without its heading; empty when there is none. */
export function newestSection(changelog) {
  const [, ...sections] = changelog.split(/^## /m);
  const newest = sections.find((section) => /^\[?\d/.test(section));
  return newest ? newest.slice(newest.indexOf("\n") + 1).trim() : "";
}

/**
 * The changelog with a section for the version before the newest one: what changesets has written, and what stood under
 * "Unreleased", which it replaces.
 */
export function withSection(changelog, { version, date, written }) {
  const items = newestSection(written)
    .replaceAll(/^### (Major|Minor|Patch) Changes\n+/gm, "")
    .replaceAll(/^- [0-9a-f]{7,40}: /gm, "- ");
  const [head, ...sections] = changelog.split(/^(?=## )/m);
  const isUnreleased = /^## \[?Unreleased\]?\n/;
  const unreleased = sections.filter((section) => isUnreleased.test(section));
  const others = sections.filter((section) => !isUnreleased.test(section));
  const blocks = [items, ...unreleased.map((section) => section.replace(isUnreleased, "").trim())];
  const section = [`## ${version} - ${date}`, ...blocks.filter((block) => block !== "")].join("\n\n");
  return (
    [head.trimEnd(), section, others.join("").trimEnd()].filter((part) => part !== "").join("\n\n") + "\n"
  );
}

/** A section has this version as its heading, in brackets or not. */
export const hasSection = (changelog, version) =>
  new RegExp(`^## \\[?${version.replaceAll(".", "\\.")}\\]?( |$)`, "m").test(changelog);

/** Chart.yaml with the version of a release, which is also the version of its images. */
export const withVersion = (chartYaml, version) =>
  chartYaml
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: ${version}`);

/** A TypeScript module with another text as the value of an exported constant. */
export function withConstant(source, name, value) {
  const changed = source.replace(
    new RegExp(`^(export const ${name} = )".*";$`, "m"),
    `$1${JSON.stringify(value)};`,
  );
  if (!changed.includes(`export const ${name} = ${JSON.stringify(value)};`))
    throw new Error(`There is no constant ${name}`);
  return changed;
}

/** values.yaml with the registry that has the images. */
export function withRegistry(valuesYaml, registry) {
  const filled = valuesYaml.replace(/^( {2}registry: )""$/m, `$1${registry}`);
  if (filled === valuesYaml) throw new Error("values.yaml has no empty image.registry to fill in");
  return filled;
}

/**
 * Chart.yaml as Artifact Hub shows it: with where it comes from, its images, and what changed. `repository` is OWNER/NAME on
 * GitHub; `notes` are the items of the changelog.
 */
export function withOrigin(chartYaml, { registry, repository, revision, version, notes }) {
  const home = `https://github.com/${repository}`;
  const fields = [
    `home: ${home}`,
    `sources: [${home}]`,
    `icon: https://raw.githubusercontent.com/${repository}/${revision}/charts/glovebox/icon.svg`,
  ];
  const images = ["api", "controller", "scanner-job"].flatMap((name) => [
    `    - name: ${name}`,
    `      image: ${registry}/glovebox/${name}:${version}`,
  ]);
  const links = [
    "    - name: Documentation",
    `      url: ${home}/blob/v${version}/docs/kubernetes.md`,
    "    - name: Issues",
    `      url: ${home}/issues`,
  ];
  const changes = [...notes.matchAll(/^- (.+(?:\n {2,}.+)*)/gm)].flatMap(([, text]) => [
    "    - kind: changed",
    `      description: ${JSON.stringify(text.replaceAll(/\s+/g, " "))}`,
  ]);
  const annotation = (name, lines) => [`  artifacthub.io/${name}: |`, ...lines];
  const annotations = [
    ...annotation("images", images),
    ...annotation("links", links),
    ...annotation("changes", changes),
  ];
  return chartYaml
    .replace(/^annotations:$/m, [...fields, "annotations:", ...annotations].join("\n"))
    .replace(/^# A release adds .*\n/m, "");
}
