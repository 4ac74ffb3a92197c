import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  contentOf,
  ipAddress,
  listOf,
  namespaceName,
  objectName,
  oneOf,
  optional,
  redisUrl,
  wholeNumber,
} from "./parsers.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, (text: string) => unknown, string, unknown]>([
  ["a whole number", wholeNumber(1, 10), "10", 10],
  ["a word", oneOf("on", "off"), "off", "off"],
  ["a URL", redisUrl, "rediss://cache", "rediss://cache"],
  [
    "the number of a database",
    redisUrl,
    "redis://user:p%40ss@cache:6380/15",
    "redis://user:p%40ss@cache:6380/15",
  ],
  ["an address", ipAddress, "fd00::1", "fd00::1"],
  ["a list", listOf(namespaceName), "team-a, team-b\nteam-c", ["team-a", "team-b", "team-c"]],
  ["a list of nothing", listOf(namespaceName), " ", []],
  ["what is unset", optional(namespaceName), "", undefined],
  ["what is set", optional(namespaceName), "team-a", "team-a"],
  ["the name of an object", objectName, "our.ca-1", "our.ca-1"],
])("%s is taken", (_, parse, text, value) => {
  expect(parse(text)).toEqual(value);
});

test.each<[(text: string) => unknown, string, string]>([
  [wholeNumber(1, 10), "0", "must be a whole number from 1 to 10"],
  [wholeNumber(1, 10), "11", "must be a whole number from 1 to 10"],
  [wholeNumber(1, 10), "1e1", "must be a whole number from 1 to 10"],
  [wholeNumber(1, 10), "", "must be a whole number from 1 to 10"],
  [oneOf("a", "b", "c"), "d", "must be a, b or c"],
  [redisUrl, "localhost:6379", "must be a URL that starts with redis:// or rediss://"],
  [redisUrl, "redis://cache/rates", "must have no path other than a database number"],
  [redisUrl, "redis://:100%@cache", "must have its user name and password in percent-encoding"],
  [ipAddress, "pod", "must be an IP address"],
  [namespaceName, "Team", "must be the name of a namespace"],
  [namespaceName, "a".repeat(64), "must be the name of a namespace"],
  [objectName, "/etc/ca.pem", "must be the name of an object"],
  [listOf(namespaceName), "team-a,B", "must be the name of a namespace"],
])("%o refuses %j with the reason", (parse, text, reason) => {
  expect(() => parse(text)).toThrow(new Error(reason));
});

describe("the content of a file", () => {
  const lines = contentOf((text) => wholeNumber(1, 10)(text.trim()));

  test("the content of a file is parsed", () => {
    const path = join(folder, "number");
    writeFileSync(path, "7\n");
    expect(lines(path)).toBe(7);
  });

  test("the content of a file that cannot be used is refused by its path and the reason", () => {
    const path = join(folder, "word");
    writeFileSync(path, "seven");
    expect(() => lines(path)).toThrow(new Error(`${path}: must be a whole number from 1 to 10`));
  });

  test("the content of a file that is not there is refused by its path and the code of the system", () => {
    expect(() => lines("/no/such")).toThrow(new Error("/no/such: cannot be read (ENOENT)"));
  });
});
