import { expect, test } from "vitest";
import { Passwords, passwordProblem } from "./passwords.ts";

const passwords = new Passwords();

test("a password is verified by its hash, and no other is", async () => {
  const hash = await passwords.hash("correct horse battery");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwords.verify("correct horse battery", hash)).toBe(true);
  expect(await passwords.verify("correct horse batterY", hash)).toBe(false);
  expect(await passwords.verify("", hash)).toBe(false);
});

test("two hashes of one password differ", async () => {
  expect(await passwords.hash("correct horse battery")).not.toBe(
    await passwords.hash("correct horse battery"),
  );
});

test("a hash of another implementation is verified with its own parameters", async () => {
  // From the tests of the reference implementation (phc-winner-argon2): 64 MiB, salt "somesalt".
  const hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await passwords.verify("password", hash)).toBe(true);
});

test.each([null, undefined])("without a hash (%s) nothing is the password", async (hash) => {
  expect(await passwords.verify("correct horse battery", hash)).toBe(false);
});

test("a password has 12 to 256 characters, whichever they are", () => {
  expect(passwordProblem("a".repeat(11))).toContain("at least 12");
  expect(passwordProblem("🔑".repeat(11))).toContain("at least 12");
  expect(passwordProblem("🔑".repeat(12))).toBeUndefined();
  expect(passwordProblem("a".repeat(256))).toBeUndefined();
  expect(passwordProblem("a".repeat(257))).toContain("at most 256");
});
