import postgres from "postgres";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { newScanId } from "@glovebox/contract";
import { joined } from "@glovebox/scan-run";
// By path: the store does not export its statements, and the baseline must run the same ones.
import { serviceActor } from "../store/src/audit/audit.ts";
import { PAGE_QUERY, SCAN_QUERY, SUBMIT_QUERY, submitParameters } from "../store/src/scans/scans.ts";
import { databaseUrl, loadAccounts, reportReady, type LoadAccount } from "./src/child.ts";

/**
 * The baseline: node:http and postgres.js with the statements and the number of connections of the API, without router, validation,
 * authentication, limits, log, metrics and additional headers.
 */
const sql = postgres(databaseUrl(), { max: 10 });
const prepared = { prepare: true };
const accounts = new Map(loadAccounts().map((account) => [`Bearer ${account.key}`, account]));

const server = createServer((req, res) => {
  respond(req, accounts.get(req.headers.authorization!)!).then(
    (body) => send(res, body),
    (error: unknown) => {
      console.error(error);
      res.writeHead(500).end();
    },
  );
});
server.listen(0, "127.0.0.1", () =>
  reportReady(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);

function respond(req: IncomingMessage, account: LoadAccount): Promise<string | Buffer> {
  if (req.method === "POST") return submit(req, account);
  const url = req.url!;
  return url.startsWith("/v1/scans") ? list(account) : read(account, url.slice(url.lastIndexOf("/") + 1));
}

async function read({ id }: LoadAccount, scan: string): Promise<Buffer> {
  const [row] = await sql.unsafe(SCAN_QUERY, [scan, id], prepared);
  const { packed, report_text: _, ...columns } = row!;
  return gunzipSync(joined(JSON.stringify(columns), packed));
}

async function list({ id }: LoadAccount): Promise<string> {
  return JSON.stringify(await sql.unsafe(PAGE_QUERY, [id, 20, 0], prepared));
}

async function submit(req: IncomingMessage, { id }: LoadAccount): Promise<string> {
  const { url } = (await json(req)) as { url: string };
  const now = new Date();
  const at = now.toISOString();
  const parameters = submitParameters(
    { id: newScanId(now), account: { id }, url, actor: serviceActor("load") },
    at,
  );
  const [row] = await sql.unsafe(SUBMIT_QUERY, parameters, prepared);
  return JSON.stringify({ ...row, url, createdAt: at, status: "processing" });
}

function send(res: ServerResponse, body: string | Buffer): void {
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  res.writeHead(200, headers).end(body);
}
