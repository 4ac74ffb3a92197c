import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import {
  hasSection,
  newestSection,
  withConstant,
  withOrigin,
  withRegistry,
  withSection,
  withVersion,
} from "./texts.mjs";

const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n- Soon.\n\n## [0.3.0] - 2026-01-02\n\n- An older change.\n";
const WRITTEN =
  "# glovebox\n\n## 0.4.0\n\n### Minor Changes\n\n- 0a1b2c3: A new thing,\n  in two lines.\n\n### Patch Changes\n\n- Another.\n";
const chart = (name) => readFileSync(new URL(`../../charts/glovebox/${name}`, import.meta.url), "utf8");

describe("a changelog", () => {
  const released = withSection(CHANGELOG, { version: "0.4.0", date: "2026-03-04", written: WRITTEN });

  test("gets the section of a release, with what was unreleased and without commits and kinds of change", () => {
    expect(released).toBe(
      "# Changelog\n\n## 0.4.0 - 2026-03-04\n\n- A new thing,\n  in two lines.\n\n- Another.\n\n- Soon.\n\n## [0.3.0] - 2026-01-02\n\n- An older change.\n",
    );
  });

  test("a changelog without a section gets its first one", () => {
    const first = withSection("# Changelog\n", { version: "0.4.0", date: "2026-03-04", written: WRITTEN });
    expect(newestSection(first)).toBe("- A new thing,\n  in two lines.\n\n- Another.");
  });

  test("gives the newest section as notes, and knows its sections with and without brackets", () => {
    expect(newestSection(CHANGELOG)).toBe("- An older change.");
    expect(newestSection(released)).toMatch(/^- A new thing/);
    expect(["0.4.0", "0.3.0", "0.3", "4.0"].map((version) => hasSection(released, version))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("the chart of a release", () => {
  const origin = {
    registry: "registry.example.com/team",
    repository: "team/glovebox",
    revision: "0".repeat(40),
    version: "1.2.3",
    notes: "- A new thing,\n  in two lines: here.\n\n- Another.",
  };
  const released = load(withOrigin(withVersion(chart("Chart.yaml"), "1.2.3"), origin));

  test("names its images, where it comes from, and what changed", () => {
    expect(released).toMatchObject({
      version: "1.2.3",
      appVersion: "1.2.3",
      home: "https://github.com/team/glovebox",
      icon: `https://raw.githubusercontent.com/team/glovebox/${origin.revision}/charts/glovebox/icon.svg`,
    });
    const annotation = (name) => load(released.annotations[`artifacthub.io/${name}`]);
    expect(annotation("images")).toContainEqual({
      name: "scanner-job",
      image: "registry.example.com/team/glovebox/scanner-job:1.2.3",
    });
    expect(annotation("links").map(({ name }) => name)).toEqual(["Documentation", "Issues"]);
    expect(annotation("changes").map(({ description }) => description)).toEqual([
      "A new thing, in two lines: here.",
      "Another.",
    ]);
  });

  test("keeps the annotations that each chart has", () => {
    expect(released.annotations["artifacthub.io/license"]).toBe("Apache-2.0");
    expect(load(released.annotations["artifacthub.io/crdsExamples"])[0].kind).toBe("Scan");
  });

  test("the chart of a release has the registry filled in, which the chart of the repository leaves empty", () => {
    expect(load(chart("values.yaml")).image.registry).toBe("");
    expect(load(withRegistry(chart("values.yaml"), origin.registry)).image.registry).toBe(origin.registry);
    expect(() => withRegistry("image:\n  registry: x\n", "y")).toThrow("no empty image.registry");
  });
});

describe("a constant of the product", () => {
  const source = 'export const VERSION = "0.3.0";\n\nexport const PACKAGE_NAME = "glovebox";\n';

  test("gets another value, and nothing else changes", () => {
    expect(withConstant(source, "PACKAGE_NAME", "@team/glovebox")).toBe(
      'export const VERSION = "0.3.0";\n\nexport const PACKAGE_NAME = "@team/glovebox";\n',
    );
  });

  test("may get the value that it has, and must exist", () => {
    expect(withConstant(source, "VERSION", "0.3.0")).toBe(source);
    expect(() => withConstant(source, "NAME", "x")).toThrow("There is no constant NAME");
  });
});
