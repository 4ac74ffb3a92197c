import { defineObservation } from "../../engine/check.ts";
import { describesApi } from "../../signatures/api-description.ts";
import { stackTraceIn } from "../../signatures/error-messages.ts";
import { serverPathsIn } from "../../signatures/error-details.ts";

export default defineObservation({
  id: "data-exposure/path-disclosure",
  category: "dataExposure",
  title: "Full path disclosure",
  severity: "low",
  confidence: "firm",
  description:
    "An answer names files of the program by their paths on the server. They tell an attacker what the program is made of and where to look when files can be read.",
  rule: "The answer has a path of the server's disk that is no path of an address, which the request did not have.",
  remediation:
    "Answer errors with an identifier and a plain message (RFC 9457), and leave paths of files out of answers.",
  references: { cwe: 209, owasp: "API8:2023" },

  observe(reply) {
    const isPage = reply.mediaType === "text/html";
    const isManual = isPage && reply.status < 400;
    // A trace is a finding of its own.
    if (isManual || describesApi(reply) || stackTraceIn(reply.body)) return undefined;
    const paths = serverPathsIn(reply.body, { isPage });
    return paths.length === 0 ? undefined : { observed: `Seen: ${paths.join(", ")}.`, values: paths };
  },
});
