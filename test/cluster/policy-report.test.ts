import { afterAll, beforeAll, expect, test } from "vitest";
import { applyChartRoles, type ChartRoles } from "./support/chart-roles.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { installDefinition } from "./support/resource-definition.ts";
import { until } from "./support/until.ts";

const RESULTS = ["pass", "fail", "warn", "error", "skip"];
const integer = { type: "integer" };
const text = { type: "string" };
/** The fields of OpenReports' Report that Glovebox writes, so that the API server refuses others. */
const schema = {
  type: "object",
  properties: {
    source: text,
    scope: {
      type: "object",
      properties: Object.fromEntries(
        ["apiVersion", "kind", "namespace", "name", "uid"].map((field) => [field, text]),
      ),
    },
    configuration: {
      type: "object",
      properties: { limits: { type: "object", properties: { maxResults: integer } } },
    },
    summary: { type: "object", properties: Object.fromEntries(RESULTS.map((result) => [result, integer])) },
    results: {
      type: "array",
      items: {
        type: "object",
        required: ["policy"],
        properties: {
          policy: text,
          rule: text,
          category: text,
          severity: { type: "string", enum: ["critical", "high", "low", "medium", "info"] },
          result: { type: "string", enum: RESULTS },
          scored: { type: "boolean" },
          timestamp: {
            type: "object",
            required: ["nanos", "seconds"],
            properties: { nanos: { ...integer, format: "int32" }, seconds: { ...integer, format: "int64" } },
          },
          message: text,
          properties: { type: "object", additionalProperties: text },
        },
      },
    },
  },
};
interface Report {
  readonly metadata: {
    readonly ownerReferences: readonly { readonly kind: string; readonly name: string }[];
  };
  readonly summary: Readonly<Record<string, number>>;
  readonly results: readonly { readonly severity: string }[];
}

let fixture: Fixture;
let roles: ChartRoles;
let controller: ControllerProcess;
let removeDefinition: () => Promise<void>;
beforeAll(async () => {
  fixture = await startFixture();
  roles = await applyChartRoles(fixture);
  removeDefinition = await installDefinition({
    ...{ group: "openreports.io", version: "v1alpha1", kind: "Report", plural: "reports" },
    schema,
  });
  controller = await fixture.startController({ ...roles.settings, GLOVEBOX_POLICY_REPORTS: "on" });
});
afterAll(async () => {
  await fixture?.close();
  await roles?.remove();
  await removeDefinition?.();
});

const reports = async (): Promise<Report[]> =>
  (await getJson<{ items: Report[] }>("reports.openreports.io", "-n", fixture.namespace)).items;

test("a completed scan has a Report with its findings, which the next scan of the target replaces, and which goes with the Scan", async () => {
  await fixture.applyScan("first");
  const { findings } = await fixture.finished("first");
  const [first] = await until("the Report", async () => {
    const found = await reports();
    return found.length > 0 && found;
  });
  const { fail, warn, pass } = first!.summary;
  expect([fail! + warn!, pass]).toEqual([findings, 0]);
  expect(first!.results).toHaveLength(findings!);
  expect(first!.metadata.ownerReferences).toMatchObject([{ kind: "Scan", name: "first" }]);

  await fixture.applyScan("second");
  await fixture.finished("second");
  await until("the Report of the second scan", async () => {
    const [second, ...more] = await reports();
    return more.length === 0 && second!.metadata.ownerReferences[0]!.name === "second";
  });
  await kubectl(["delete", "scans.glovebox.dev", "second", "-n", fixture.namespace]);
  await until(
    "the deletion of the Report",
    async () => (await namesOf("reports.openreports.io", fixture.namespace)).length === 0,
  );
  expect(controller.lines.filter((line) => /could not be written/.test(line))).toEqual([]);
});
