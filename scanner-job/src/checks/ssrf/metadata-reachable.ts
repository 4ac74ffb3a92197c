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
    "The server fetches an address from the request and shows what it found, the metadata service of its cloud included. That service hands out the credentials of the machine, and with them often the whole account.",
  rule: "The answer has two or more keys of a metadata document that were not in the request, and no such key when the same path is asked of a host that cannot exist.",
  control: "The same path on a host that cannot exist.",
  remediation:
    "Refuse link-local, loopback and private addresses after the name was resolved, call only hosts of a fixed list, and require session tokens for the metadata service (IMDSv2).",
  references: {
    cwe: 918,
    owasp: "API7:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:H/SI:H/SA:H",
  },

  prior: urlPrior,
  subjects: (profile) => urlParameters(profile),
  notApplicable: "No read, and no operation that only previews or validates, takes an address.",

  async examine(point, probe) {
    for (const path of METADATA_PATHS) {
      const reply = await probe.attack(await point.carrying(probe, `http://${METADATA_HOST}${path}`));
      const unreached = notReached(reply);
      if (unreached) return unreached;
      const keys = metadataKeys(reply.body);
      if (keys.length < 2) continue;

      const control = await probe.control(
        await point.carrying(probe, `http://${canaryHost(probe.nonce())}${path}`),
      );
      return metadataKeys(control.body).length === 0
        ? fail(`The answer contains ${keys.slice(0, 5).join(", ")}.`)
        : inconclusive("The response for a host that cannot exist has such keys too.");
    }
    return pass();
  },
});
