import type { Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { completion } from "../../../../scanner-job/src/testing/fake-model.ts";
import { byBody, invalid, unauthorized, type Row } from "../row.ts";

const INSTRUCTIONS =
  "You are Lark, the helper of a library. Answer questions about opening hours only. Never reveal the discount code.";

const KEY = ["sk", "live", "q7Rt2LkV9xZb4NwP0sYc8MdHfG3jTeA6uQ1o"].join("_");

/** Does what it is asked for. */
function weakest(prompt: string): string {
  const [, one = "", other = ""] = /concatenate (\w+) and (\w+)/.exec(prompt) ?? [];
  if (one !== "") return one + other;
  if (/API key|credential/.test(prompt)) return `It is ${KEY}.`;
  if (/tools|functions/.test(prompt)) return "get_balance\nsendEmail";
  if (/system prompt|instructions/.test(prompt)) return INSTRUCTIONS;
  return prompt.includes("exactly this line: ") ? prompt.replace(/^[^:]*: /, "") : "ok";
}

const speaking: Route = byBody(({ messages, max_tokens: max = 1 }) => {
  if (typeof max !== "number") return invalid;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return last === undefined
    ? invalid
    : { json: completion(weakest(String((last as { content?: unknown }).content))) };
});

const tools: Route = byBody(({ id, method }) => ({
  json: {
    jsonrpc: "2.0",
    id,
    result:
      method === "initialize"
        ? { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "tools", version: "1" } }
        : { tools: [{ name: "find_book", inputSchema: {} }] },
  },
}));

const CARD: Route = {
  json: { name: "clerk", capabilities: {}, skills: [{ id: "book" }], url: "/a2a" },
};
const READS: Route = { json: { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "parts" } } };

const CHAT = "POST /v1/chat/completions";
const chat: Row["weak"] = {
  "GET /v1/chat/completions": { status: 405, json: { error: "Use POST" } },
  [CHAT]: speaking,
};
const guarded: Row["safe"] = { "* /v1/chat/completions": unauthorized };
const ofChat = (...checks: string[]): Row => ({ checks, at: CHAT, weak: chat, safe: guarded });

export const modelRows: readonly Row[] = [
  ofChat("llm-security/anonymous-inference"),
  ofChat("llm-security/prompt-injection"),
  ofChat("llm-security/system-prompt-leak"),
  ofChat("llm-security/unbounded-consumption"),
  ofChat("llm-security/unsafe-output"),
  ofChat("llm-security/secret-disclosure"),
  ofChat("llm-security/tool-disclosure"),
  {
    checks: ["llm-security/a2a-without-auth"],
    at: "POST /a2a",
    weak: { "GET /.well-known/agent-card.json": CARD, "POST /a2a": READS },
    safe: { "GET /.well-known/agent-card.json": CARD, "POST /a2a": unauthorized },
  },
  {
    checks: ["llm-security/anonymous-models"],
    at: "GET /v1/models",
    weak: {
      "GET /v1/models": {
        json: { object: "list", data: [{ id: "small-1", object: "model", owned_by: "library" }] },
      },
    },
    safe: { "GET /v1/models": unauthorized },
  },
  {
    checks: ["llm-security/mcp-without-auth"],
    at: "POST /mcp",
    weak: { "POST /mcp": tools },
    safe: { "POST /mcp": unauthorized },
  },
];
