import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import { internalAddressesIn } from "../../signatures/hosts.ts";
import { ordinaryReply, ordinarySubjects } from "../../attacks/subjects.ts";
import type { Reply } from "../../transport/exchange.ts";

export default defineCheck({
  id: "data-exposure/internal-addresses",
  category: "dataExposure",
  title: "Internal IP address or host disclosure",
  severity: { default: "low", internal: "info" },
  confidence: "firm",
  description:
    "An answer contains addresses or host names that only have a meaning inside the operator's network. They show an attacker useful targets for server-side request forgery.",
  rule: "The answer has an address of a private range (RFC 1918) or a host name of an internal domain, other than the target's own.",
  control: "None: the address itself is the proof.",
  remediation:
    "Leave internal addresses out of answers, headers and error messages, and let the gateway replace those in `Location` and `Via`.",
  references: { cwe: 497, owasp: "API8:2023" },
  passive: true,

  subjects: (profile) => ordinarySubjects(profile),
  notApplicable: "This check applies to every target.",

  async examine(subject, probe) {
    const reply = await ordinaryReply(subject, probe);
    const unclear = withoutMeaning(reply);
    if (unclear) return inconclusive(unclear);
    const { hostname } = probe.profile.target;
    const seen = internalAddressesIn(textOf(reply)).filter((address) => address !== hostname);
    return seen.length === 0 ? pass() : fail(`Seen: ${seen.join(", ")}.`);
  },
});

/** Headers that name the caller are left out. */
const textOf = ({ headers, body }: Reply): string =>
  [...HEADERS.map((name) => headers[name] ?? ""), body].join("\n");

const HEADERS = [
  "location",
  "via",
  "server",
  "x-backend-server",
  "x-upstream",
  "x-served-by",
  "content-location",
];
