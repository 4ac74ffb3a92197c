import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { METADATA_HOST, METADATA_PATHS, metadataKeys } from "../../signatures/cloud-metadata.ts";
import { withHeader } from "../../attacks/credentials.ts";
import { isBlocked } from "../../oracles/classify.ts";
import { theHost } from "../../attacks/subjects.ts";

export default defineCheck({
  id: "ssrf/host-routed-metadata",
  kind: "differential",
  category: "ssrf",
  title: "SSRF by Host header routing to cloud metadata",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The gateway routes requests by the `Host` header to any host, including the cloud metadata service. An attacker can steal the cloud credentials of the machine.",
  rule: "With the address of the metadata service as `Host`, the response is not HTML and contains two or more keys of a metadata document; with the target's host it contains none.",
  control: "The same path with the target's `Host`.",
  remediation:
    "Route by an allowlist of hosts and reject all others (421); never take an upstream address from the request. Require session tokens for the metadata service (IMDSv2).",
  references: {
    cwe: 441,
    owasp: "API7:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:H/SI:H/SA:H",
  },

  subjects: theHost,
  notApplicable: "No target was given.",

  async examine(_, probe) {
    let responded = 0;
    for (const path of METADATA_PATHS) {
      const request = readOf(probe.profile.target.origin + path);
      const response = await probe.attack(withHeader(request, "host", METADATA_HOST));
      if (!isBlocked(response) && response.status < 500) responded++;
      const keys = metadataKeys(response.body);
      if (response.mediaType === "text/html" || keys.length < 2) continue;
      const control = await probe.control(request);
      return metadataKeys(control.body).length === 0
        ? fail(`${path} returned ${keys.slice(0, 5).join(", ")}.`, {
            location: { method: "GET", path },
          })
        : inconclusive("The target itself returns such keys for such paths.");
    }
    return responded > 0
      ? pass()
      : inconclusive("Requests with another `Host` only got server errors or were blocked.");
  },
});
