import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { chartPage, chartValues } from "./chart.ts";

const read = (name: string) =>
  readFileSync(new URL(`../../charts/glovebox/${name}`, import.meta.url), "utf8");

interface Schema {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
}
const schema = JSON.parse(read("values.schema.json")) as Schema;

describe("the values of the chart", () => {
  test("each have a type, a default and a meaning in its README", () => {
    const values = chartValues(read("values.yaml"), schema);
    expect(values.length).toBeGreaterThan(150);
    expect(values.filter(({ meaning }) => meaning === "")).toEqual([]);
    const single = values.filter(({ path }) => propertiesAt(path) === undefined);
    expect(single.filter(({ type }) => type === "")).toEqual([]);
    for (const { path } of values) expect(chartPage()).toContain(`| \`${path}\` |`);
  });

  test("the values of the chart are all in the schema, and the schema has no other ones", () => {
    const inSchema = pathsIn(schema).filter((path) => path !== "global"); // Helm's own
    expect(pathsIn(load(read("values.yaml")) as object, schema).toSorted()).toEqual(inSchema.toSorted());
  });

  test("take their comment from the line above, and a default that holds a colon as it is written", () => {
    const text = "# Where it is.\nplace:\n  # An address.\n  url: http://a:1\n  other: true\n";
    const described = {
      properties: { place: { properties: { url: { type: "string" }, other: { type: "boolean" } } } },
    };
    expect(chartValues(text, described)).toEqual([
      { path: "place", type: "", fallback: "", meaning: "Where it is." },
      { path: "place.url", type: "string", fallback: "http://a:1", meaning: "An address." },
      { path: "place.other", type: "boolean", fallback: "true", meaning: "" },
    ]);
  });
});

const propertiesAt = (path: string) =>
  path.split(".").reduce<Schema | undefined>((at, key) => at?.properties?.[key], schema)?.properties;

/** Paths of the leaves: of a schema by its properties, of values as deep as the schema goes. */
function pathsIn(node: object, guide?: Schema): string[] {
  const children = guide ? node : ((node as Schema).properties ?? {});
  return Object.entries(children as Record<string, object>).flatMap(([key, child]) => {
    const next = guide?.properties?.[key];
    const goesDeeper = guide ? next?.properties !== undefined : (child as Schema).properties !== undefined;
    return goesDeeper ? pathsIn(child, next).map((path) => `${key}.${path}`) : [key];
  });
}
