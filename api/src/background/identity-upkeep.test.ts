import { expect, test } from "vitest";
import { createIdentityUpkeep } from "./identity-upkeep.ts";

type Result = { readonly reencrypted: number; readonly unreadable: number };

async function logged(reencryptIdentities: () => Promise<Result>): Promise<unknown[]> {
  const lines: unknown[] = [];
  const log = (...line: unknown[]): void => void lines.push(line);
  await createIdentityUpkeep({ store: { reencryptIdentities }, logger: { info: log, warn: log } }).run();
  return lines;
}

test.each<[string, Result, unknown[]]>([
  ["nothing", { reencrypted: 0, unreadable: 0 }, []],
  ["what was re-encrypted", { reencrypted: 2, unreadable: 0 }, [[{ reencrypted: 2 }, expect.any(String)]]],
  ["what no key decrypts", { reencrypted: 0, unreadable: 1 }, [[{ unreadable: 1 }, expect.any(String)]]],
])("the log tells %s", async (_, result, lines) => {
  expect(await logged(async () => result)).toEqual(lines);
});

test("a failed run is logged without the message of the driver", async () => {
  expect(await logged(() => Promise.reject(new TypeError("password=hunter2")))).toEqual([
    [{ error: "TypeError" }, "identities could not be re-encrypted, retrying"],
  ]);
});
