import { ANONYMOUS } from "@glovebox/contract";
import { defineCheck, fail, inconclusive, notApplicable, pass } from "../../engine/check.ts";
import { theHost } from "../../attacks/subjects.ts";
import { listMember, member } from "../../json.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import {
  MALFORMED,
  ACCEPT_JSON,
  readOf,
  type ProbeRequest,
  type ProbeResponse,
} from "../../transport/exchange.ts";

const NO_AGENT = "No agent card was found.";
/** Where agents describe themselves: A2A 1.0 and 0.3, and what came before. */
const CARDS = ["/.well-known/agent-card.json", "/.well-known/agent.json"];
/** JSON-RPC 2.0: the parameters are invalid, so that the method was reached. */
const INVALID_PARAMS = -32602;

export default defineCheck({
  id: "llm-security/a2a-without-auth",
  kind: "differential",
  category: "llmSecurity",
  caller: ANONYMOUS,
  title: "A2A agent without authentication",
  severity: "medium",
  confidence: "firm",
  description:
    "The agent accepts Agent2Agent messages without credentials. An unauthenticated attacker can give it tasks and use its tools and its budget.",
  rule: "The agent of a public agent card rejects the content of an unauthenticated message as invalid, so it processes messages without credentials.",
  control: "The same message to a nonexistent path gets a different response.",
  remediation:
    "Declare `securitySchemes` in the agent card, and reject every message without valid credentials before processing it.",
  references: {
    cwe: 306,
    owasp: "LLM06:2026",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 4,

  subjects: theHost,
  notApplicable: NO_AGENT,

  async examine(_, probe) {
    const { target } = probe.profile;
    const address = await agentAddress(target, (request) => probe.baseline(request));
    if (!address) return notApplicable(NO_AGENT);

    const message = invalidMessage(address);
    const missing = await probe.missing(message);
    const response = await probe.attack(message);
    if (isDenied(response)) return pass();
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    if (errorCode(response) !== INVALID_PARAMS || errorCode(missing) === INVALID_PARAMS)
      return inconclusive("The response to an invalid message does not follow the protocol.");
    return fail("A message without parts was rejected for its content, not for missing credentials.", {
      location: { method: "POST", path: new URL(address).pathname },
    });
  },
});

/** The address of the agent's interface on this host, by its card. */
async function agentAddress(
  target: URL,
  read: (request: ProbeRequest) => Promise<ProbeResponse>,
): Promise<string | undefined> {
  for (const path of CARDS) {
    const card = await read(readOf(target.origin + path));
    if (!isSuccess(card) || member(card.json, "skills") === undefined) continue;
    const addresses = [card.json, ...listMember(card.json, "supportedInterfaces", 5)].map((each) =>
      member(each, "url"),
    );
    const own = addresses.find(
      (address): address is string =>
        typeof address === "string" &&
        URL.canParse(address, target.href) &&
        new URL(address, target.href).host === target.host,
    );
    if (own !== undefined) return target.origin + new URL(own, target.href).pathname;
  }
  return undefined;
}

/** A message without a part, which no agent acts upon. */
const invalidMessage = (url: string): ProbeRequest => ({
  method: "POST",
  url,
  headers: { accept: ACCEPT_JSON, "content-type": "application/json" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "message/send",
    params: { message: { role: "user", parts: 0, messageId: "glovebox" } },
  }),
  form: MALFORMED,
});

const errorCode = ({ json }: ProbeResponse): unknown => member(member(json, "error"), "code");
