import { IDENTITY_FIELDS, isScanId, newScanId, scanRequestSchema, type ScanList } from "@glovebox/contract";
import type { Actor, Principal, ScanRow } from "@glovebox/store";
import { toWebRequest } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Services } from "../deps.ts";
import type { ApiResponse } from "../http/request-context.ts";
import { errorResponse, isUnexpected, type HttpResponse } from "../http/respond.ts";
import { parseInput } from "../http/route.ts";
import { identitiesOf } from "../identities/identity-source.ts";
import { describeFault } from "../observability.ts";
import { noSuchScan, waitedScan } from "../scans/get-scan.ts";
import { packedScan, withoutReport } from "../scans/scan-response.ts";
import { startScan, submitScan } from "../scans/submit-scan.ts";
import { ToolError, createMcpServer, noSuchFinding, withoutFindings, type ToolCommands } from "./tools.ts";

export interface McpRequest {
  readonly body: unknown;
  readonly principal: Principal;
  readonly actor: Actor;
  readonly res: ApiResponse;
}

/** Each request has its own server, with the rights of its API key. */
export async function handleMcp(request: McpRequest, services: Services): Promise<HttpResponse> {
  const { body, res } = request;
  const commands = commandsOf(services, request);
  const handler = createMcpHandler(() => createMcpServer(commands));
  try {
    return await responseFrom(await handler.fetch(await toWebRequest(res.req, body), { parsedBody: body }));
  } finally {
    await handler.close();
  }
}

async function responseFrom(response: Response): Promise<HttpResponse> {
  const body = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type");
  return {
    status: response.status,
    ...(type !== null && { headers: { "Content-Type": type } }),
    ...(body.length > 0 && { body }),
  };
}

/** The commands of /v1, for the account of a key. */
function commandsOf(services: Services, { principal, actor, res }: Omit<McpRequest, "body">): ToolCommands {
  const { account, scopes } = principal;
  const { store, now, logger, reports } = services;
  const found = async (id: string, seconds: number): Promise<ScanRow> => {
    if (!isScanId(id)) throw noSuchScan();
    const waited = await waitedScan(services, { id, principal, seconds, client: res });
    if (waited === "disconnected") throw new ToolError("The client has disconnected.");
    return waited.found;
  };
  return {
    list: async (page): Promise<ScanList> => ({ ...(await store.scans.list(account.id, page)), ...page }),
    async get(id, seconds) {
      const row = await found(id, seconds);
      if (row.status !== "completed") return withoutReport(row);
      return reports.run(account.id, "short", async () => ({ scan: packedScan(row) }));
    },
    async explain(id, findingId) {
      const row = await found(id, 0);
      if (row.status !== "completed") throw withoutFindings(row);
      const input = { scan: packedScan(row), id: findingId };
      const explanation = await reports.run(account.id, "explanation", async () => input);
      if (explanation === undefined) throw noSuchFinding();
      return explanation;
    },
    start: mayWrite(scopes)
      ? async (request) => {
          const { identitySet, ...target } = parseInput(toolRequest, request, submitScan.fieldErrors);
          const file = await identitiesOf(services, account, { url: target.url, identitySet });
          const submission = { id: newScanId(now()), account, actor, ...target, ...file };
          return withoutReport(await startScan(services, submission));
        }
      : undefined,
    hasIdentitySets: true,
    describe(error) {
      const { requestId } = res.locals.context;
      if (isUnexpected(error))
        logger.error({ requestId, route: "/mcp", ...describeFault(error) }, "unexpected failure");
      return errorResponse(error, requestId).body;
    },
  };
}

const toolRequest = scanRequestSchema.extend({ identitySet: IDENTITY_FIELDS.identitySet });

const mayWrite = (scopes: Principal["scopes"]): boolean =>
  scopes.length === 0 || scopes.includes("scans:write");
