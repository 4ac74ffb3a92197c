import { readFileSync } from "node:fs";
import { hashApiKey, newApiKey } from "@glovebox/store";
import { expect, test } from "vitest";
import { AccountsFileError, parseAccountsFile } from "./accounts-file.ts";

const key = newApiKey();
const account = (rest: string): string => `accounts:\n  - name: payments\n    plan: free\n${rest}`;
const oneKey = (rest: string): string => account(`    keys:\n      - name: ci\n        ${rest}\n`);

test("accounts and keys are read", () => {
  const text = account(
    `    owner: team@example.com\n    keys:\n      - { name: ci, key: ${key}, scopes: [scans:read] }\n`,
  );
  expect(parseAccountsFile(text)).toEqual({
    accounts: [
      {
        name: "payments",
        plan: "free",
        owner: "team@example.com",
        keys: [{ name: "ci", key, scopes: ["scans:read"] }],
      },
    ],
  });
});

test("the file that the documentation shows is read", () => {
  const page = readFileSync(new URL("../../docs/accounts.md", import.meta.url), "utf8");
  const { accounts } = parseAccountsFile(/```yaml\n(.*?)```/s.exec(page)![1]!);
  expect(accounts[0]).toMatchObject({ name: "payments", keys: [{ name: "ci" }, { revoked: true }] });
});

test.each(["2027-01-31", "'2027-01-31'", "2027-01-31T00:00:00Z"])("expiresAt: %s is that moment", (text) => {
  const { accounts } = parseAccountsFile(oneKey(`key: ${key}\n        expiresAt: ${text}`));
  expect(accounts[0]?.keys[0]?.expiresAt).toEqual(new Date("2027-01-31"));
});

const rows: readonly (readonly [string, string, string])[] = [
  ["nothing", "", "the file: must have accounts"],
  ["a list", "- a", "the file: must have accounts"],
  ["an unknown field", "accounts: []\nextra: 1", "the file: has an unknown field extra"],
  ["an account without a name", "accounts:\n  - plan: free", "accounts[0].name: must be text"],
  [
    "a wrong plan",
    "accounts:\n  - { name: a, plan: gold }",
    "accounts[0].plan: must be one of free, starter, pro, enterprise",
  ],
  ["an owner who is none", account("    owner: nobody\n"), "accounts[0].owner: must be an e-mail address"],
  ["a misspelt field", account("    key: []\n"), "accounts[0]: has an unknown field key"],
  [
    "a rate of zero",
    account("    requestsPerMinute: 0\n"),
    "accounts[0].requestsPerMinute: must be at least 1",
  ],
  [
    "a mistyped key",
    oneKey(`key: ${key}0`),
    "accounts[0].keys[0].key: is not an API key: its form or its checksum is wrong",
  ],
  ["a short digest", oneKey("sha256: abc"), "accounts[0].keys[0].sha256: must be 64 hex digits"],
  ["neither", oneKey("scopes: []"), "accounts[0].keys[0]: needs either key or sha256"],
  [
    "both",
    oneKey(`key: ${key}\n        sha256: ${hashApiKey(key)}`),
    "accounts[0].keys[0]: needs either key or sha256",
  ],
  [
    "a wrong scope",
    oneKey(`key: ${key}\n        scopes: [admin]`),
    "accounts[0].keys[0].scopes[0]: must be one of scans:read, scans:write, webhooks:read, webhooks:write, schedules:read, schedules:write",
  ],
  ...["null", "2027", "true", "soon", "'2027-02-31'"].map(
    (text) =>
      [
        `expiresAt: ${text}`,
        oneKey(`key: ${key}\n        expiresAt: ${text}`),
        "accounts[0].keys[0].expiresAt: must be a date such as 2027-01-31",
      ] as const,
  ),
  [
    'revoked: "yes"',
    oneKey(`key: ${key}\n        revoked: "yes"`),
    "accounts[0].keys[0].revoked: must be true or false",
  ],
  [
    "one account twice",
    "accounts:\n  - { name: a, plan: free }\n  - { name: a, plan: pro }",
    "accounts[1].name: is used twice",
  ],
  [
    "one key name twice",
    account(`    keys:\n      - { name: ci, key: ${key} }\n      - { name: ci, key: ${newApiKey()} }\n`),
    "accounts[0].keys[1].name: is used twice in this account",
  ],
  [
    "one key twice",
    account(
      `    keys:\n      - { name: a, key: ${key} }\n      - { name: b, sha256: ${hashApiKey(key).toUpperCase()} }\n`,
    ),
    "accounts[0].keys[1].sha256: is used twice",
  ],
  ["broken YAML", `${oneKey(`key: ${key}`)}  ]`, "is not valid YAML in line"],
  ["an undefined alias", oneKey(`key: *nothing`), "is not valid YAML in line"],
];
test.each(rows)("%s is refused, naming the field and no key", (_name, text, message) => {
  const refused = (): unknown => parseAccountsFile(text);
  expect(refused).toThrow(AccountsFileError);
  expect(refused).toThrow(message);
  expect(refused).not.toThrow(/gbx_/);
});
