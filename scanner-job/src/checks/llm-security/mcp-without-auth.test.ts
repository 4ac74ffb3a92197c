import { fakeApi, type FakeResponse, type Incoming } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import mcpWithoutAuth from "./mcp-without-auth.ts";

interface Message {
  readonly id: number;
  readonly method: string;
}

const serverInfo = { protocolVersion: "2025-06-18", serverInfo: { name: "tools", version: "1" } };
const plain = (id: number, result: object): FakeResponse => ({ json: { jsonrpc: "2.0", id, result } });
const asEvent = (id: number, result: object): FakeResponse => ({
  headers: { "content-type": "text/event-stream", "mcp-session-id": "s1" },
  body: `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`,
});

/** A tool server with one tool of this name. */
const server =
  (name: string, form: typeof plain = plain) =>
  ({ body, headers }: Incoming): FakeResponse => {
    const { id, method } = JSON.parse(body) as Message;
    if (method === "initialize") return form(id, serverInfo);
    if (form === asEvent && headers["mcp-session-id"] !== "s1") return { status: 400, json: {} };
    return form(id, { tools: [{ name, inputSchema: {} }] });
  };

testCheck(mcpWithoutAuth, {
  positive: [
    {
      name: "a tool server that lists its tools",
      target: fakeApi({ "POST /mcp": server("find_patient") }),
      finding: { severity: "high", location: { method: "POST", path: "/mcp" } },
      count: 1,
    },
    {
      name: "a tool that runs commands, which weighs more",
      target: fakeApi({ "POST /mcp": server("exec_command") }),
      finding: { severity: "critical" },
    },
    {
      name: "a tool server that streams and keeps sessions",
      path: "/v2",
      target: fakeApi({ "POST /v2/mcp": server("find_patient", asEvent) }),
      finding: { location: { method: "POST", path: "/v2/mcp" } },
    },
  ],
  negative: [
    {
      name: "a tool server that requires credentials",
      target: fakeApi({ "POST /mcp": { status: 401, json: { error: "Unauthorized" } } }),
    },
    {
      name: "a tool server that requires credentials before it lists",
      target: fakeApi({
        "POST /mcp": (incoming) =>
          incoming.body.includes("tools/list") ? { status: 403, json: {} } : server("x")(incoming),
      }),
    },
  ],
  inconclusive: [
    { name: "a host without a tool server", target: fakeApi({}) },
    { name: "a host that responds to every path like one", target: fakeApi({ "POST *": server("x") }) },
    {
      name: "a gateway that refuses everything",
      target: fakeApi({ "* *": { status: 401, json: { error: "Unauthorized" } } }),
    },
  ],
});
