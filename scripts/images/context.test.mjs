import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("whatever the Dockerfile copies is let into the build by .dockerignore", () => {
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
