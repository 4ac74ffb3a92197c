import type { Scan, ScanList } from "@glovebox/contract";
import { FORMAT_NAMES } from "@glovebox/report";
import type { TestResponse } from "../../../api/src/testing/requests.ts";
import type { SoakAccount } from "./accounts.ts";
import { receivedOf, type Caller } from "./caller.ts";
import { exportProblem } from "./export-checks.ts";
import type { Client, Received } from "./facts.ts";
import type { Journal } from "./journal.ts";

/** Who is signed in to the dashboard. */
export interface SoakSession {
  readonly cookie: string;
  readonly accountId: string;
}

export interface ReaderDeps {
  readonly caller: Caller;
  readonly journal: Journal;
  /** By the name of the account. */
  readonly sessions: ReadonlyMap<string, SoakSession>;
}

/** Scans that another client may delete at any time. */
const DELETED = ["not_found"];

/** What clients do that start no scan. */
export class Reader {
  readonly #deps: ReaderDeps;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
  }

  async list({ key }: SoakAccount): Promise<void> {
    const { caller } = this.#deps;
    for (const offset of [0, 10])
      await caller.call({
        client: "list",
        key,
        path: `/v1/scans?limit=10&offset=${offset}`,
        route: "/v1/scans",
      });
  }

  async read(account: SoakAccount): Promise<void> {
    for (const { id } of (await this.#newest(account, "read")).slice(0, 3))
      await this.#deps.caller.call({
        ...{
          client: "read",
          key: account.key,
          path: `/v1/scan/${id}`,
          route: "/v1/scan/{id}",
          expected: DELETED,
        },
      });
  }

  /** The newest completed scan in every format. */
  async export({ key, ...account }: SoakAccount): Promise<void> {
    const { caller, journal } = this.#deps;
    const newest = await this.#newest({ key, ...account }, "export");
    const id = newest.find(({ status }) => status === "completed")?.id;
    if (id === undefined) return;
    for (const format of FORMAT_NAMES) {
      const response = await caller.call({
        ...{ client: "export", key, path: `/v1/scan/${id}/report?format=${format}` },
        ...{ route: `/v1/scan/{id}/report`, expected: DELETED },
      });
      if (response?.status !== 200) continue;
      journal.exports.set(format, (journal.exports.get(format) ?? 0) + 1);
      const problem = exportProblem(format, response.text, id);
      if (problem) journal.invalidExports.push(`${format} of ${id}: ${problem}`);
    }
  }

  /** Three pages of the dashboard: one batch each. */
  async dashboard({ name }: SoakAccount): Promise<void> {
    const session = this.#deps.sessions.get(name);
    if (!session) return;
    const headers = { cookie: session.cookie, "sec-fetch-site": "same-origin" };
    const page = { limit: 20, offset: 0 };
    const pages: Record<string, object>[] = [
      { "session.me": {}, "overview.get": {} },
      { "scans.search": page, "targets.list": page },
      { "findings.list": page, "usage.get": {} },
    ];
    for (const procedures of pages) {
      const names = Object.keys(procedures).join(",");
      const input = JSON.stringify({ ...Object.values(procedures) });
      const query = `batch=1&account=${session.accountId}&input=${encodeURIComponent(input)}`;
      await this.#deps.caller.call({
        ...{
          client: "dashboard",
          headers,
          path: `/admin/trpc/${names}?${query}`,
          route: `/admin/trpc/${names}`,
        },
        received: receivedOfBatch,
      });
    }
  }

  /** An assistant that lists scans and reads one. */
  async assistant({ key }: SoakAccount): Promise<void> {
    const { caller } = this.#deps;
    const callTool = (name: string, args: object) =>
      caller.call({
        ...{ client: "assistant", key, path: "/mcp", route: `/mcp ${name}`, expected: DELETED },
        headers: { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18" },
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
        received: receivedOfTool,
      });
    const listed = await callTool("list_scans", { limit: 5 });
    if (listed?.status !== 200 || toolResult(listed)?.isError) return;
    const { scans } = JSON.parse(toolResult(listed)!.content[0]!.text) as ScanList;
    if (scans[0]) await callTool("get_scan", { scan: scans[0].id });
  }

  async #newest({ key }: SoakAccount, client: Client): Promise<Pick<Scan, "id" | "status">[]> {
    const path = "/v1/scans?limit=10";
    const response = await this.#deps.caller.call({ client, key, path, route: "/v1/scans" });
    return response?.status === 200 ? (response.json as ScanList).scans : [];
  }
}

interface TrpcError {
  readonly error?: { readonly data?: { readonly httpStatus: number; readonly code: string } };
}

/** The first error of the calls of a batch. tRPC's own errors have no `Retry-After`: the page retries by itself. */
function receivedOfBatch(response: TestResponse): Received {
  const calls = [response.json as TrpcError | TrpcError[]].flat();
  const data = calls.find((each) => each?.error)?.error?.data;
  if (!data) return receivedOf(response);
  return { status: data.httpStatus, code: data.code, hasRetryAfter: true, hasLocation: false };
}

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

function toolResult({ json, text }: TestResponse): ToolResult | undefined {
  const message = (json ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "{}")) as { result?: ToolResult };
  return message.result;
}

/** Of a tool, whose errors are results with the body of an error of `/v1` as their text. */
function receivedOfTool(response: TestResponse): Received {
  const result = response.status === 200 ? toolResult(response) : undefined;
  if (!result?.isError) return receivedOf(response);
  const code = /"code":\s*"(\w+)"/.exec(result.content[0]!.text)?.[1];
  return { status: code === "unavailable" ? 503 : 400, code, hasRetryAfter: true, hasLocation: false };
}
