import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scanFailure } from "@glovebox/contract";
import { expect, test } from "vitest";
import { parseIdentities, readIdentitiesFile } from "./identities-file.ts";

const SECRET = "s3cret-0f-Alice";

test.each([
  ["YAML", `identities:\n  - name: alice\n    headers: { Authorization: "Bearer ${SECRET}" }\n`],
  ["JSON", `{"identities": [{"name": "alice", "headers": {"Authorization": "Bearer ${SECRET}"}}]}`],
])("identities in %s are read, with the defaults of the format", (_, text) => {
  const headers = { Authorization: `Bearer ${SECRET}` };
  expect(parseIdentities(text)).toEqual({ identities: [{ name: "alice", role: "user", headers }] });
});

test("expectations of a file are read with its identities", () => {
  const expectations = [{ role: "user", deny: ["/admin/**"] }];
  const text = `expectations: ${JSON.stringify(expectations)}\nidentities: [{name: a, query: {key: ${SECRET}}}]`;
  expect(parseIdentities(text)).toMatchObject({ identities: [{ name: "a" }], expectations });
});

test.each([
  ["no YAML", `identities:\n  - name: [alice\n    token: ${SECRET}`, / is not valid YAML \(line \d+\)\.$/],
  ["an alias without an anchor", `identities:\n  - *${SECRET}`, / is not valid YAML \(line 2\)\.$/],
  ["an unknown tag", `identities: !${SECRET} 1`, / is not valid YAML \(line 1\)\.$/],
  ["a text", SECRET, /: must have the key `identities`\.$/],
  ["nothing", "", / is not valid YAML \(line 1\)\.$/],
  [
    "an unknown role",
    `identities: [{name: alice, role: ${SECRET}}]`,
    /: identities\.0\.role: must be one of/,
  ],
  [
    "a secret that YAML splits",
    `identities: [{name: a, headers: {A: x, ${SECRET}}}]`,
    /identities\.0\.headers\.…: /,
  ],
])("a file with %s fails the scan, and names the field or line and no value", (_, text, message) => {
  const read = parseIdentities(text);
  expect(read).toMatchObject({
    failure: { code: "could_not_start", message: expect.stringMatching(message) },
  });
  expect(JSON.stringify(read)).not.toContain(SECRET);
});

test("a file that cannot be read fails the scan with the reason of the system", () => {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-identities-"));
  try {
    expect(readIdentitiesFile(join(folder, "none.yaml"))).toEqual({
      failure: scanFailure("could_not_start", "identities.yaml cannot be read (ENOENT)."),
    });
    expect(readIdentitiesFile(folder)).toEqual({
      failure: scanFailure("could_not_start", "identities.yaml cannot be read (EISDIR)."),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
