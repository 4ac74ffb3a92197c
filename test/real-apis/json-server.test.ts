import { fileURLToPath } from "node:url";
import type { CompletedScan } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiProcess } from "./api-process.ts";
import { ensureInstalled } from "./installed.ts";
import { startJsonServer } from "./json-server.ts";
import { expected, findingsFrom, type Verified } from "./verified-findings.ts";
import { scanBehindTls } from "./scan-behind-tls.ts";

// Verified with curl: docs/real-apis.md.
const WITHOUT_DOCUMENT: readonly Verified[] = [
  {
    finding: "medium data-exposure/personal-data-lists GET /users",
    because: "names and e-mail addresses of all members of staff, without credentials",
  },
  ...["v0", "v1", "v2"].map((version) => ({
    finding: `medium data-exposure/personal-data-lists GET /api/${version}/users`,
    because: "json-server reads it as the users of `api` v1 and ignores that condition: the same list",
  })),
];

/** Named by the document and not sent by the scan: anyone may write, as `curl --request POST` and DELETE showed. */
const OPEN_WRITES = ["users", "posts", "comments"].flatMap((name) => {
  const severity = name === "users" ? "critical" : "high";
  return [
    `high authentication/missing-authentication POST /${name}`,
    ...["DELETE", "PATCH", "PUT"].map(
      (method) => `${severity} authentication/missing-authentication ${method} /${name}/{id}`,
    ),
  ];
});

const WITH_DOCUMENT: readonly Verified[] = [
  ...OPEN_WRITES.map((finding) => ({ finding, because: "anyone may create, change and delete" })),
  {
    finding: "critical authentication/missing-authentication GET /users",
    because: "names and e-mail addresses, and everybody may change them",
  },
  ...WITHOUT_DOCUMENT.filter(({ finding }) => !finding.includes("/api/v")),
  ...["/users", "/posts", "/comments"].map((path) => ({
    finding: `medium data-exposure/stack-trace GET ${path}`,
    because: "an object instead of the text `q` is a 500 with the TypeError and its stack",
  })),
];

let api: ApiProcess;
beforeAll(async () => {
  await ensureInstalled();
  api = await startJsonServer();
}, 300_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const everything = async (): Promise<string> => (await fetch(`${api.address}/db`)).text();

describe.each<[string, string | undefined, readonly Verified[]]>([
  ["without an OpenAPI document", undefined, WITHOUT_DOCUMENT],
  [
    "with an OpenAPI document",
    fileURLToPath(new URL("json-server.openapi.json", import.meta.url)),
    WITH_DOCUMENT,
  ],
])("json-server, a public API, scanned %s", (_how, document, verified) => {
  let before: string;
  let scan: CompletedScan;
  beforeAll(async () => {
    before = await everything();
    scan = await scanBehindTls(api, document);
  });

  test("the findings of medium severity or above are exactly the verified ones", () => {
    expect(findingsFrom(scan, "medium")).toEqual(expected(verified));
  });

  test("the data has not changed", async () => {
    expect(await everything()).toBe(before);
  });

  test("predictable ids and missing HSTS are reported as low", () => {
    expect(findingsFrom(scan, "low")).toEqual(
      expect.arrayContaining([
        "low bola-authorization/predictable-ids GET /users/{id}",
        "low encryption/hsts GET /",
      ]),
    );
  });
});
