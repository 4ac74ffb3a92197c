import { defineObservation } from "../../engine/check.ts";
import { describesApi } from "../../signatures/api-description.ts";
import { internalAddressesIn } from "../../signatures/hosts.ts";
import type { Reply } from "../../transport/exchange.ts";

export default defineObservation({
  id: "data-exposure/internal-addresses",
  category: "dataExposure",
  title: "Internal IP address or host disclosure",
  severity: { default: "low", internal: "info" },
  confidence: "firm",
  description:
    "An answer contains addresses or host names that only have a meaning inside the operator's network. They show an attacker useful targets for server-side request forgery.",
  rule: "The answer has an address of a private range (RFC 1918) or a host name of an internal domain, other than the target's own and those of the request.",
  remediation:
    "Leave internal addresses out of answers, headers and error messages, and let the gateway replace those in `Location` and `Via`.",
  references: { cwe: 497, owasp: "API8:2023" },

  observe(reply, { profile: { target } }) {
    if (describesApi(reply)) return undefined;
    const seen = internalAddressesIn(textOf(reply)).filter((address) => address !== target.hostname);
    return seen.length === 0 ? undefined : { observed: `Seen: ${seen.join(", ")}.`, values: seen };
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
