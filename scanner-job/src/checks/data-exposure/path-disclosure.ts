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
    "A response contains file system paths of the server. An attacker learns about the platform and its directories, which helps with file disclosure attacks.",
  rule: "The response contains a file system path that is not part of a URL and was not in the request.",
  remediation:
    "Return errors with an identifier and a generic message (RFC 9457), and keep file paths out of responses.",
  references: { cwe: 209, owasp: "API8:2023" },

  observe(response) {
    const isPage = response.mediaType === "text/html";
    const isManual = isPage && response.status < 400;
    // A trace is a separate finding.
    if (isManual || describesApi(response) || stackTraceIn(response.body)) return undefined;
    const paths = serverPathsIn(response.body, { isPage });
    return paths.length === 0 ? undefined : { observed: `Seen: ${paths.join(", ")}.`, values: paths };
  },
});
