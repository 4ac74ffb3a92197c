import { expect, test } from "vitest";
import { renderKeys } from "./render-keys.ts";

const NEVER = { expiresAt: null, lastUsedAt: null, revokedAt: null };
const createdAt = new Date("2026-11-21T12:00:00.123Z");

test("a table has a line for each key, in columns", () => {
  const text = renderKeys([
    { ...NEVER, id: "1", name: "ci", scopes: [], createdAt },
    { ...NEVER, id: "22", name: "reader", scopes: ["scans:read"], createdAt, revokedAt: createdAt },
  ]);
  expect(text).toBe(
    [
      "ID  NAME    SCOPES      CREATED               EXPIRES  LAST USED  REVOKED",
      "1   ci      all         2026-11-21T12:00:00Z  -        -          -",
      "22  reader  scans:read  2026-11-21T12:00:00Z  -        -          2026-11-21T12:00:00Z",
    ].join("\n"),
  );
});

test("a name with control characters leaves the terminal as it is", () => {
  const text = renderKeys([{ ...NEVER, id: "1", name: "\u001b[2Jx", scopes: [], createdAt }]);
  expect(text).not.toContain("\u001b");
});
