import { expect, test } from "vitest";
import { builders } from "./builders.mjs";

const image = {
  file: "Dockerfile",
  context: ".",
  target: "api",
  tag: "glovebox/api:dev",
  archive: "dist/images/api.tar",
  buildArgs: { VERSION: "1.2.3", NODE_IMAGE: "localhost/node:24" },
};

test.each(Object.keys(builders))("%s builds the target with its arguments and writes the archive", (name) => {
  const [build, save] = builders[name].commands(image);
  expect(build[0]).toBe(name);
  expect(build.join(" ")).toContain("--file Dockerfile --target api --tag glovebox/api:dev");
  expect(build.join(" ")).toContain("--build-arg VERSION=1.2.3 --build-arg NODE_IMAGE=localhost/node:24");
  expect(build.at(-1)).toBe(".");
  expect(save[0]).toBe(name);
  expect(save.join(" ")).toContain("dist/images/api.tar");
});

test("buildah needs no user namespace", () => {
  expect(builders.buildah.commands(image)[0].join(" ")).toContain("--isolation chroot");
});
