import { ANONYMOUS } from "@glovebox/contract";
import { defineCheck, fail, inconclusive, notApplicable, pass } from "../../engine/check.ts";
import { eventsIn } from "../../signatures/model-response.ts";
import { isDenied } from "../../oracles/classify.ts";
import { NO_MODEL } from "../../attacks/language-model.ts";
import type { Probe } from "../../engine/probe.ts";
import { theHost } from "../../attacks/subjects.ts";
import { isObject, listMember, member, objectOf, textMember, type JsonObject } from "../../json.ts";
import { WELL_FORMED, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

/** Initialises and lists; no tool is ever called. */
export default defineCheck({
  id: "llm-security/mcp-without-auth",
  kind: "differential",
  category: "llmSecurity",
  caller: ANONYMOUS,
  title: "MCP server without authentication",
  severity: "high",
  confidence: "confirmed",
  description:
    "An MCP server lists its tools without credentials. An attacker who can list tools can usually call them, with the permissions of the server.",
  rule: "`initialize` returns `serverInfo`, and `tools/list` returns tools.",
  control: "The same request to a nonexistent path does not return such a result.",
  remediation:
    "Require an access token as the MCP authorization specification describes (OAuth 2.1), validate `Origin`, and expose to each caller only the tools that it may call.",
  references: {
    cwe: 306,
    owasp: "LLM03:2026",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: theHost,
  notApplicable: NO_MODEL,

  async examine(_, probe) {
    let guarded = false;
    for (const path of pathsOf(probe)) {
      const bare = message(probe.profile.target.origin + path, "tools/list", {});
      const missing = await probe.missing(bare);
      const listed = await probe.attack(bare);
      guarded ||= isDenied(listed) && !isDenied(missing);
      if (!mayBeServer(listed) || mayBeServer(missing)) continue;

      // Older servers list without a handshake; the others begin a session first.
      const isListed = toolNames(resultOf(listed)).length > 0;
      const list = isListed ? listed : await listInSession(probe, bare.url);
      if (!list) continue;
      if (isDenied(list)) return pass();
      const names = toolNames(resultOf(list));
      if (names.length === 0) return inconclusive("The MCP server has no tools, or does not list them.");
      const severity = names.some((name) => DANGEROUS.test(name)) ? "critical" : "high";
      return fail(`Listed: ${names.slice(0, 5).join(", ")}.`, {
        severity,
        location: { method: "POST", path },
      });
    }
    return guarded ? pass() : notApplicable(NO_MODEL);
  },
});

/** The tools, asked for in a separate session; undefined where no session begins. */
async function listInSession(probe: Probe, url: string): Promise<ProbeResponse | undefined> {
  const hello = await probe.attack(message(url, "initialize", INITIALIZE));
  return "serverInfo" in resultOf(hello)
    ? probe.attack(inSession(message(url, "tools/list", {}), hello))
    : undefined;
}

/** A response in JSON-RPC 2.0, or a refusal that a server makes where no session has begun. */
const mayBeServer = (response: ProbeResponse): boolean =>
  messagesIn(response).some((message) => member(message, "jsonrpc") === "2.0") ||
  [400, 406].includes(response.status);

const messagesIn = ({ json, body, mediaType }: ProbeResponse): readonly unknown[] =>
  mediaType === "text/event-stream" ? eventsIn(body) : [json];

function pathsOf({ profile }: Probe): Set<string> {
  const declared = profile.operations
    .map(({ location }) => location.path)
    .filter((path) => /\/mcp\/?$/i.test(path) && !path.includes("{"));
  const base = profile.target.pathname.replace(/\/+$/, "");
  return new Set([
    ...declared.slice(0, 2),
    `${base}/mcp`,
    ...["/mcp", "/api/mcp", "/v1/mcp", "/sse", "/messages", "/rpc", "/jsonrpc"],
  ]);
}

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "glovebox", version: "1" },
};

/** JSON-RPC 2.0 over the protocol's streamable HTTP. */
const message = (url: string, method: string, params: object): ProbeRequest => ({
  method: "POST",
  url,
  headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  form: WELL_FORMED,
});

function inSession(request: ProbeRequest, { headers }: ProbeResponse): ProbeRequest {
  const session = headers["mcp-session-id"];
  return {
    ...request,
    headers: {
      ...request.headers,
      "mcp-protocol-version": INITIALIZE.protocolVersion,
      ...(session === undefined ? {} : { "mcp-session-id": session }),
    },
  };
}

const resultOf = (response: ProbeResponse): JsonObject =>
  objectOf(
    messagesIn(response)
      .map((message) => member(message, "result"))
      .find(isObject),
  );

const toolNames = (result: JsonObject): string[] =>
  listMember(result, "tools").flatMap((tool) => textMember(tool, "name", 80) ?? []);

/** Whole words of a name: `exec_command`, `deleteFile`, `run-shell`. */
const DANGEROUS =
  /(^|[-_. ])(exec(ute)?|shell|bash|delete|remove|drop|write)([-_. ]|$)|^(exec(ute)?|delete|remove|drop|write)[A-Z]|(Shell|Command)$/;
