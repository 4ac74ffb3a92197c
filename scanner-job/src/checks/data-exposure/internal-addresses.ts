import { defineObservation } from "../../engine/check.ts";
import { describesApi } from "../../signatures/api-description.ts";
import { internalAddressesIn } from "../../signatures/hosts.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineObservation({
  id: "data-exposure/internal-addresses",
  category: "dataExposure",
  title: "Internal IP address or host disclosure",
  severity: { default: "low", internal: "info" },
  confidence: "firm",
  description:
    "A response contains internal IP addresses or host names. An attacker learns about the internal network and finds targets for server-side request forgery.",
  rule: "The response contains a private address (RFC 1918) or a host name of an internal domain, other than the target's own and those in the request.",
  remediation:
    "Remove internal addresses from responses, headers and error messages, and rewrite `Location` and `Via` at the gateway.",
  references: { cwe: 497, owasp: "API8:2023" },

  observe(response, { profile: { target } }) {
    if (describesApi(response)) return undefined;
    const seen = internalAddressesIn(textOf(response)).filter((address) => address !== target.hostname);
    return seen.length === 0 ? undefined : { observed: `Seen: ${seen.join(", ")}.`, values: seen };
  },
});

/** Headers that name the caller are left out. */
const textOf = ({ headers, body }: ProbeResponse): string =>
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
