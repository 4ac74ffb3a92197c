import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import a2aWithoutAuth from "./a2a-without-auth.ts";

const card = { name: "clerk", capabilities: {}, skills: [{ id: "book" }], url: "/a2a" };
const reads: Route = { json: { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "parts" } } };
const agent = (response: Route, own: object = card) =>
  fakeApi({ "GET /.well-known/agent-card.json": { json: own }, "POST /a2a": response });

testCheck(a2aWithoutAuth, {
  positive: [
    {
      name: "an agent that reads messages of anonymous callers",
      target: agent(reads),
      finding: { severity: "medium", location: { method: "POST", path: "/a2a" } },
      count: 1,
    },
    {
      name: "an agent whose card lists its interfaces",
      target: agent(reads, { ...card, url: undefined, supportedInterfaces: [{ url: "/a2a" }] }),
    },
  ],
  negative: [
    {
      name: "an agent that requires credentials",
      target: agent({ status: 401, json: { error: "Unauthorized" } }),
    },
  ],
  inconclusive: [
    { name: "a host without an agent", target: fakeApi({}) },
    {
      name: "an agent on another host",
      target: agent(reads, { ...card, url: "https://agents.example/a2a" }),
    },
    { name: "an agent that fails", target: agent({ status: 500, body: "" }) },
    {
      name: "a host that responds to every message like this",
      target: fakeApi({ "GET /.well-known/agent-card.json": { json: card }, "POST *": reads }),
    },
  ],
});
