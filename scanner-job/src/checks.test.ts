import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CATEGORY_KEYS, SEVERITIES } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { CHECKS } from "./checks/index.ts";
import { severityIn } from "./engine/check.ts";

const here = fileURLToPath(new URL("checks", import.meta.url));
const documents = fileURLToPath(new URL("../../docs/checks", import.meta.url));
const files = globSync("*/*.ts", { cwd: here }).filter((file) => !/(\.test|index)\.ts$/.test(file));

describe("the list of checks", () => {
  const single = CHECKS.filter(({ kind }) => kind !== "exposure");

  it("names every file of the folder, by its path, beside the rows of tables", () => {
    expect(single.map(({ id }) => `${id}.ts`).toSorted()).toEqual(files.toSorted());
  });

  it("the list of checks has each id once, and names rows by what is exposed", () => {
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
    const rows = CHECKS.filter(({ kind }) => kind === "exposure");
    expect(rows.length).toBeGreaterThanOrEqual(150);
    for (const { id } of rows) expect(id).toMatch(/^[a-z-]+\/exposed-[a-z\d-]+$/);
  });

  it.each(CATEGORY_KEYS)("the list of checks has at least two checks of %s", (category) => {
    expect(CHECKS.filter((check) => check.category === category).length).toBeGreaterThanOrEqual(2);
  });
});

describe.each(CHECKS.map((check) => [check.id, check] as const))("%s", (id, check) => {
  it("lies in the folder of its category", () => {
    const folder = check.category.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    expect(id.split("/")[0]).toBe(folder);
  });

  it("the list of checks has a test beside it, and is in the documentation", () => {
    // Rows have a sample each in the test of their tables.
    expect(check.kind === "exposure" || existsSync(`${here}/${id}.test.ts`)).toBe(true);
    const page = check.kind === "exposure" ? "README.md" : `${id}.md`;
    expect(readFileSync(`${documents}/${page}`, "utf8")).toContain(check.title);
  });

  it("the list of checks is described in whole sentences", () => {
    for (const text of [
      check.description,
      check.rule,
      check.control,
      check.remediation,
      check.notApplicable,
    ]) {
      expect(text).toMatch(/^[A-Z\d`].*[.)]$/s);
    }
    expect(check.title).not.toMatch(/\.$/);
  });

  it("the list of checks has a CVSS vector where its severity is medium or above", () => {
    const grave = SEVERITIES.indexOf(severityIn(check, undefined)) <= SEVERITIES.indexOf("medium");
    expect(check.references.cvss ?? "").toMatch(grave ? /^CVSS:4\.0\/AV:/ : /^(CVSS:4\.0\/AV:.*)?$/);
  });
});
