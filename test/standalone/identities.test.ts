import { readFileSync, readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { scanSchema, type IdentityInput } from "@glovebox/contract";
import { FORMAT_NAMES } from "@glovebox/report";
import { plainSql } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBlockingTarget, type BlockingTarget } from "./blocking-target.ts";
import { temporaryFolder, type CommandResult } from "./command.ts";
import { serve, type Service } from "./service.ts";

/*
 * Where a secret of an identity could be found: in the database, before and after the end of its scan, in what the service prints,
 * in the report and its exports, and in the data directory. The service is killed while the scan runs, so that there is a second
 * attempt. The target returns whatever it is sent.
 */

const SECRETS = {
  header: "s3cret/of+alice/header==",
  cookie: "s3cret-of-alice-cookie",
  query: "s3cret of alice query",
  password: "s3cret&of bob/password",
  token: "s3cret-token-of-bob",
};
const IDENTITIES: IdentityInput[] = [
  {
    name: "alice",
    headers: { Authorization: SECRETS.header },
    cookies: { session: SECRETS.cookie },
    query: { api_key: SECRETS.query },
  },
  { name: "bob", login: { operation: "POST /session", body: { user: "bob", password: SECRETS.password } } },
];

/** The secret as it is, and as targets return it: in base64 and URL-encoded. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  ...(["base64", "base64url"] as const).map((encoding) => Buffer.from(secret).toString(encoding)),
];
/** The forms of secrets that occur in a text, named by their secret. */
const foundIn = (text: string): string[] =>
  Object.entries(SECRETS).flatMap(([name, secret]) =>
    formsOf(secret).some((form) => text.includes(form)) ? [name] : [],
  );

let signedIn = 0;

/** Signs everybody in, and returns the credentials of each request in its body, in base64, URL-encoded and in `Location`. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "https://127.0.0.1");
  const { authorization = "", cookie = "" } = request.headers;
  if (authorization === SECRETS.header) signedIn++;
  response.setHeader("content-type", "application/json");
  if (url.pathname === "/session") return void response.end(JSON.stringify({ token: SECRETS.token }));
  const sent = [authorization, cookie, url.searchParams.get("api_key") ?? ""];
  response.setHeader("location", `/next?of=${encodeURIComponent(authorization)}`);
  response.writeHead(url.pathname === "/" || url.pathname === "/items" ? 200 : 404);
  response.end(
    JSON.stringify({
      ...{ sent, encoded: sent.map((each) => Buffer.from(each).toString("base64")) },
      ...{ escaped: sent.map(encodeURIComponent), items: "/items" },
    }),
  );
}

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
let target: BlockingTarget;
let service: Service;
let id: string;
const printed: CommandResult[] = [];
const environment = () => ({
  GLOVEBOX_EGRESS_ALLOW: target.allowed,
  GLOVEBOX_DEMO: "off",
  GLOVEBOX_LOG_LEVEL: "trace",
});

beforeAll(async () => {
  target = await startBlockingTarget(echo);
  service = await serve(dataDir, environment());
});
afterAll(async () => {
  await service?.stop();
  await target?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** All rows of all tables of the running service, as text. */
async function dump(): Promise<{ text: string; identities: number }> {
  const { databaseUrl } = JSON.parse(readFileSync(join(dataDir, "running.json"), "utf8")) as {
    databaseUrl: string;
  };
  const sql = plainSql(databaseUrl);
  try {
    const tables = await sql<{ name: string }[]>`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema')`;
    const rows = await Promise.all(
      tables.map(({ name }) => sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`)),
    );
    const [{ count }] = await sql<[{ count: number }]>`select count(*)::int as count from scan_identities`;
    return {
      text: rows
        .flat()
        .map(({ row }) => row)
        .join("\n"),
      identities: count,
    };
  } finally {
    await sql.end();
  }
}

const submit = async (): Promise<string> => {
  const body = JSON.stringify({ url: target.url, identities: IDENTITIES });
  const headers = { prefer: "respond-async", "idempotency-key": "once" };
  const response = await service.call("/v1/scan", { method: "POST", body, headers });
  const text = await response.text();
  expect(foundIn(text)).toEqual([]);
  return scanSchema.parse(JSON.parse(text)).id;
};

describe("the secrets of identities", () => {
  test("the secrets of identities are in the database encrypted only, while the scan runs", async () => {
    id = await submit();
    await target.reached();
    const { text, identities } = await dump();
    expect(text).toContain(id);
    expect(identities).toBe(1);
    expect(foundIn(text)).toEqual([]);
  });

  test("the secrets of identities are there for the next attempt after a crash of the service, and deleted when the scan has ended", async () => {
    printed.push(await service.command.kill("SIGKILL"));
    target.release();
    service = await serve(dataDir, environment());
    const response = await service.call(`/v1/scan/${id}`, { headers: { prefer: "wait=100" } });
    const text = await response.text();
    const scan = scanSchema.parse(JSON.parse(text));
    expect(scan.status === "failed" ? scan.error : scan.status).toBe("completed");
    expect(foundIn(text)).toEqual([]);
    expect(signedIn).toBeGreaterThan(0);
    const { text: stored, identities } = await dump();
    expect(identities).toBe(0);
    expect(foundIn(stored)).toEqual([]);
  });

  test.each(FORMAT_NAMES)("are not in the export as %s", async (format) => {
    const response = await service.call(`/v1/scan/${id}/report?format=${format}`);
    expect(response.status).toBe(200);
    expect(foundIn(await response.text())).toEqual([]);
  });

  test("the secrets of identities are not printed by the service, at any level", async () => {
    printed.push(await service.stop());
    expect(printed.map(({ stdout }) => stdout.length > 0)).toEqual([true, true]);
    expect(printed.flatMap(({ stdout, stderr }) => foundIn(stdout + stderr))).toEqual([]);
  });

  test("the secrets of identities are in no file of the data directory, the log of PostgreSQL's writes included", () => {
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(100);
    const withSecrets = files.filter(
      ({ parentPath, name }) => foundIn(readFileSync(join(parentPath, name), "latin1")).length > 0,
    );
    expect(withSecrets.map(({ name }) => name)).toEqual([]);
  });
});
