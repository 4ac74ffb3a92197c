import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { EXTERNAL, find, type Manifest, render } from "./helm.ts";

// The guard compares the definitions that another release has created with the chart's. Helm sees them only in a cluster
// (test/install): here its comparison is rendered.
const schemaOf = (file: string): Manifest => {
  const text = readFileSync(new URL(`../../k8s/crd/${file}.yaml`, import.meta.url), "utf8");
  return (load(text) as Manifest)["spec"].versions[0].schema.openAPIV3Schema;
};

/** What the chart says that the schema lacks, as lines. */
function missingIn(known: Manifest, wanted: Manifest): string[] {
  const literal = (value: unknown) => `(fromJson ${JSON.stringify(JSON.stringify(value))})`;
  const call = `include "glovebox.missingInSchema" (dict "wanted" ${literal(wanted)} "known" ${literal(known)} "path" "")`;
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "compared" },
    data: { missing: "MISSING" },
  };
  const text = JSON.stringify(object).replace('"MISSING"', `{{ ${call} | toJson }}`);
  const { data } = find(render({ ...EXTERNAL, extraObjects: [text] }), "ConfigMap", "compared");
  return (data.missing as string).split("\n").filter((line) => line.trim() !== "");
}

const scans = schemaOf("scans");
const schedules = schemaOf("scan-schedules");
const changed = (schema: Manifest, change: (copy: Manifest) => void): Manifest => {
  const copy = structuredClone(schema);
  change(copy["properties"]);
  return copy;
};

test.each<[string, Manifest, Manifest, string[]]>([
  ["nothing, in the definition of this chart", scans, scans, []],
  [
    "a field of the spec",
    changed(schedules, ({ spec }) => delete spec.properties.revision),
    schedules,
    ["spec.revision"],
  ],
  [
    "a field deep in the spec",
    changed(schedules, ({ spec }) => delete spec.properties.scanTemplate.properties.spec.properties.context),
    schedules,
    ["spec.scanTemplate.spec.context"],
  ],
  [
    "a field of the status",
    changed(scans, ({ status }) => delete status.properties.jobUid),
    scans,
    ["status.jobUid"],
  ],
  [
    "a type and a reason of conditions",
    changed(scans, ({ status }) => {
      const { type, reason } = status.properties.conditions.items.properties;
      type.enum = type.enum.filter((one: string) => one !== "Stalled");
      reason.enum = reason.enum.filter((one: string) => one !== "PolicyApiUnavailable");
    }),
    scans,
    ["status.conditions.reason PolicyApiUnavailable", "status.conditions.type Stalled"],
  ],
  ["everything, in an empty one", {}, scans, ["apiVersion", "kind", "metadata", "spec", "status"]],
])("an older definition lacks %s", (_, known, wanted, missing) => {
  expect(missingIn(known, wanted)).toEqual(missing);
});

test("a newer definition lacks nothing", () => {
  const newer = changed(scans, ({ spec }) => (spec.properties.later = { type: "string" }));
  expect(missingIn(newer, scans)).toEqual([]);
});
