import { type Message, SYSTEM_PROMPT, responseTo } from "../assistant-model.ts";
import { empty, forbidden, json, objectIn, ok, text } from "../response.ts";
import { type Call, type RouteResponse, type Route, type Schema, weak } from "../route.ts";

const MODELS = {
  object: "list",
  data: [{ id: "larkfield-assistant-1", object: "model", created: 1_790_000_000, owned_by: "larkfield" }],
};
const MESSAGE: Schema = {
  type: "object",
  required: ["role", "content"],
  properties: {
    role: { type: "string", enum: ["user", "assistant"] },
    content: { type: "string", maxLength: 2000 },
  },
};
const CHAT: Schema = {
  type: "object",
  required: ["messages"],
  properties: {
    model: { type: "string" },
    messages: { type: "array", maxItems: 20, items: MESSAGE },
    max_tokens: { type: "integer", minimum: 1, maximum: 512 },
    stream: { type: "boolean" },
  },
};

/** The patients' assistant, as an OpenAI-compatible API and as an MCP server. */
export const assistant: Route[] = [
  {
    method: "GET",
    path: "/v1/models",
    access: "user",
    operation: { summary: "List the assistant's models", tag: "Assistant" },
    weaknesses: [weak("llmSecurity", "Models are listed without credentials")],
    vulnerable: () => ok(MODELS),
    hardened: () => ok(MODELS),
  },
  {
    method: "POST",
    path: "/v1/chat/completions",
    access: "user",
    operation: { summary: "Ask the assistant", tag: "Assistant", body: CHAT },
    weaknesses: [
      weak("llmSecurity", "The model requires no credentials"),
      weak("llmSecurity", "Prompt injection: instructions in the question are followed"),
      weak("llmSecurity", "System prompt leakage: the model returns it when asked"),
      weak("llmSecurity", "Improper output handling: HTML and links are returned unescaped"),
      weak("llmSecurity", "`max_tokens` has no upper bound"),
      weak("llmSecurity", "The model reveals what another user asked it to remember"),
    ],
    vulnerable: (call, clinic) => {
      const { messages, max_tokens, stream } = objectIn(call);
      if (!Array.isArray(messages))
        return json(400, { error: { message: "messages is required", type: "invalid_request_error" } });
      if (max_tokens !== undefined && typeof max_tokens !== "number")
        return json(400, {
          error: { message: "max_tokens must be a number", type: "invalid_request_error" },
        });
      const content = responseTo(messages as Message[], clinic.remembered);
      return stream === true ? streamed(content) : ok(completion(content, max_tokens));
    },
    hardened: (call) =>
      ok(
        completion(
          "Please ring the practice; I can only tell opening hours: 8 to 18.",
          objectIn(call).max_tokens,
        ),
      ),
  },
  {
    method: "POST",
    path: "/mcp",
    access: "user",
    weaknesses: [
      weak("llmSecurity", "The MCP server responds to `initialize` and `tools/list` without credentials"),
      weak("inventoryManagement", "The MCP server is undocumented"),
    ],
    vulnerable: (call) => mcpServer(call),
    hardened: (call) => (call.account?.role === "admin" ? mcpServer(call) : forbidden()),
  },
];

function completion(content: string, maxTokens: unknown): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "larkfield-assistant-1",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: Math.ceil(SYSTEM_PROMPT.length / 4),
      completion_tokens: Math.ceil(content.length / 4),
      max_tokens: maxTokens,
    },
  };
}

function streamed(content: string): RouteResponse {
  const events = content
    .split(/(?<= )/)
    .map((word) => ({ choices: [{ index: 0, delta: { content: word } }] }));
  const lines = events.map(
    (event) => `data: ${JSON.stringify({ object: "chat.completion.chunk", ...event })}\n\n`,
  );
  return text(200, "text/event-stream", `${lines.join("")}data: [DONE]\n\n`);
}

/** JSON-RPC of the Model Context Protocol, revision 2025-06-18, with the first two methods that clients call. */
function mcpServer(call: Call): RouteResponse {
  const { id, method } = objectIn(call);
  if (id === undefined) return empty(202);
  const result = { initialize: INITIALIZED, "tools/list": TOOLS }[String(method)];
  const error = { code: -32601, message: "Method not found" };
  return ok(result ? { jsonrpc: "2.0", id, result } : { jsonrpc: "2.0", id, error });
}

const INITIALIZED = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "larkfield-tools", version: "1.0.0" },
};
const TOOLS = {
  tools: [
    {
      name: "cancel_appointment",
      description: "Cancels an appointment",
      inputSchema: { type: "object", properties: { id: { type: "string" } } },
    },
    {
      name: "run_report",
      description: "Runs SQL for a report",
      inputSchema: { type: "object", properties: { sql: { type: "string" } } },
    },
  ],
};
