import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reachable, restoreSymlinks } from "./binaries.ts";
import { closedTo, dropFromRoot } from "./identity.ts";

const NOBODY = { uid: 65534, gid: 65534 };
let directory: string;
let native: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "glovebox-binaries-"));
  chmodSync(directory, 0o755);
  native = join(directory, "package", "native");
  mkdirSync(join(native, "lib"), { recursive: true });
  writeFileSync(join(native, "lib", "libx.so.1.2"), "library");
  writeFileSync(
    join(native, "pg-symlinks.json"),
    JSON.stringify([{ source: "native/lib/libx.so.1.2", target: "native/lib/libx.so.1" }]),
  );
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("links that an install without scripts left out are made, and made only once", () => {
  restoreSymlinks(native);
  restoreSymlinks(native);
  expect(readlinkSync(join(native, "lib", "libx.so.1"))).toBe("libx.so.1.2");
});

test("links of a copy under another name lead to the copy's own libraries", () => {
  closePackage();
  const copy = reachable({ native, version: "9", cache: join(directory, "cache") }, NOBODY);
  restoreSymlinks(copy);
  expect(readFileSync(join(copy, "lib", "libx.so.1"), "utf8")).toBe("library");
});

test("binaries that the user may enter are used where they are", () => {
  expect(reachable({ native, version: "9", cache: join(directory, "cache") }, NOBODY)).toBe(native);
});

test("binaries in a closed directory are copied once to where the user may enter", () => {
  closePackage();
  const first = reachable({ native, version: "9", cache: join(directory, "cache") }, NOBODY);
  expect(closedTo(NOBODY, first)).toBeUndefined();
  const made = statSync(first).ino;
  expect(statSync(reachable({ native, version: "9", cache: join(directory, "cache") }, NOBODY)).ino).toBe(
    made,
  );
});

test("a closed directory on the way is named", () => {
  closePackage();
  expect(closedTo(NOBODY, native)).toBe(join(directory, "package"));
  expect(closedTo(undefined, native)).toBeUndefined();
});

test.each([
  [0, NOBODY],
  [1000, undefined],
])("user %i runs PostgreSQL as %o", (uid, expected) => {
  expect(dropFromRoot(uid)).toEqual(expected);
});

const closePackage = () => chmodSync(join(directory, "package"), 0o700);
