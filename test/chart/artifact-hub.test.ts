import { readFileSync } from "node:fs";
import { buildScanCrd, buildScheduleCrd, scanSpecSchema, scheduleSpecSchema } from "@glovebox/k8s";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import type { Manifest } from "./helm.ts";

const chart = load(
  readFileSync(new URL("../../charts/glovebox/Chart.yaml", import.meta.url), "utf8"),
) as Manifest;
const annotation = (name: string): Manifest[] =>
  load(chart["annotations"][`artifacthub.io/${name}`]) as Manifest[];
const definitions = [buildScanCrd(), buildScheduleCrd()];

test("Artifact Hub lists every resource definition of the chart", () => {
  expect(annotation("crds").map(({ kind, name, version }) => ({ kind, name, version }))).toEqual(
    definitions.map(({ metadata, spec }) => ({
      kind: spec.names.kind,
      name: metadata.name,
      version: spec.versions[0]!.name,
    })),
  );
});

test("its examples are valid, one of each kind", () => {
  const [scan, schedule] = annotation("crdsExamples");
  expect([scan, schedule].map((example) => example?.["kind"])).toEqual(["Scan", "ScanSchedule"]);
  scanSpecSchema.strict().parse(scan!["spec"]);
  scheduleSpecSchema.strict().parse(schedule!["spec"]);
});
