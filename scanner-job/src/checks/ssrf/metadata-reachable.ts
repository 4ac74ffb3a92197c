import { canaryHost, urlParameters, urlPrior, type UrlParameter } from "../../attacks/url-parameters.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { METADATA_HOST, METADATA_PATHS, metadataKeys } from "../../signatures/cloud-metadata.ts";
import { notReached } from "../../attacks/refusals.ts";

export default defineCheck<UrlParameter>({
  id: "ssrf/metadata-reachable",
  kind: "differential",
  category: "ssrf",
  title: "SSRF: cloud metadata access",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server fetches a URL from the request and returns its content, including the cloud metadata service. An attacker can steal the cloud credentials of the machine, and often take over the whole account.",
  rule: "The response contains two or more keys of a metadata document that were not in the request, and none when the same path is requested from a nonexistent host.",
  control: "The same path on a nonexistent host.",
  remediation:
    "Allow only hosts on an allowlist; resolve the name first, reject loopback, private and link-local addresses, and connect to the resolved address. Require session tokens for the metadata service (IMDSv2).",
  references: {
    cwe: 918,
    owasp: "API7:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:H/SI:H/SA:H",
  },

  prior: urlPrior,
  subjects: (profile) => urlParameters(profile),
  notApplicable: "No read, preview or validation operation takes a URL.",

  async examine(point, probe) {
    for (const path of METADATA_PATHS) {
      const response = await probe.attack(await point.carrying(probe, `http://${METADATA_HOST}${path}`));
      const unreached = notReached(response);
      if (unreached) return unreached;
      const keys = metadataKeys(response.body);
      if (keys.length < 2) continue;

      const control = await probe.control(
        await point.carrying(probe, `http://${canaryHost(probe.nonce())}${path}`),
      );
      return metadataKeys(control.body).length === 0
        ? fail(`The response contains ${keys.slice(0, 5).join(", ")}.`)
        : inconclusive("The response for a nonexistent host has such keys too.");
    }
    return pass();
  },
});
