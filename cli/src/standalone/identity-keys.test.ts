import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UserError } from "../command-line.ts";
import { ensureIdentityKeys } from "./identity-keys.ts";

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "glovebox-keys-"));
  file = join(dataDir, "identity-keys");
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test("the first start makes a key that only the owner can read, and later starts keep it", () => {
  const { prefix } = ensureIdentityKeys(dataDir);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(ensureIdentityKeys(dataDir).prefix).toBe(prefix);
});

test("a key that is put before it encrypts from then on", () => {
  const { prefix } = ensureIdentityKeys(dataDir);
  const key = readFileSync(file, "utf8");
  rmSync(file);
  const { prefix: next } = ensureIdentityKeys(dataDir);
  writeFileSync(file, readFileSync(file, "utf8") + key);
  expect(ensureIdentityKeys(dataDir).prefix).toBe(next);
  expect(next).not.toBe(prefix);
});

test.each([
  ["", "has no key"],
  ["secret\n", "line 1: must be 32 random bytes in base64, as `openssl rand -base64 32` prints"],
])("a file with %j stops the start, and is not replaced", (text, reason) => {
  writeFileSync(file, text);
  expect(() => ensureIdentityKeys(dataDir)).toThrow(new UserError(`${file}: ${reason}.`));
  expect(readFileSync(file, "utf8")).toBe(text);
});
