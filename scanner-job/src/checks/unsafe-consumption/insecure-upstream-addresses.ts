import { defineCheck, fail, notApplicable, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { ordinaryReplies, theHost } from "../../attacks/subjects.ts";
import type { Probe } from "../../engine/probe.ts";
import {
  insecurityOf,
  isUpstreamName,
  upstreamAddressesIn,
  type UpstreamAddress,
} from "../../signatures/hosts.ts";
import type { ApiDocument } from "../../inventory/api-document.ts";
import { readOf, type ProbeRequest } from "../../transport/exchange.ts";

export default defineCheck({
  id: "unsafe-consumption/insecure-upstream-addresses",
  category: "unsafeConsumption",
  title: "Third-party API consumed over insecure transport",
  severity: "medium",
  confidence: "tentative",
  description:
    "The API names services that it calls or takes keys from, at plain `http:` or internal addresses. An attacker on the network path can change their responses, and the API trusts them.",
  rule: "An address of another host under a name such as `jwks_uri`, `upstream` or `callbackUrl` is plain HTTP or in a private range.",
  control: "None: the address itself is the proof.",
  remediation:
    "Use HTTPS with verified certificates for every upstream, also inside the network, and leave internal addresses out of answers and documents.",
  references: {
    cwe: 319,
    owasp: "API10:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:P/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  passive: true,

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(_, probe) {
    const { document, target } = probe.profile;
    const insecure = (addresses: readonly UpstreamAddress[]): string[] =>
      addresses.flatMap((address) => {
        const why = insecurityOf(address, target.hostname);
        return why ? [`${address.name} ${why}: ${address.url}`] : [];
      });
    const seen = insecure(declaredIn(document));
    const proofs: ProbeRequest[] = [];
    let looked = document === undefined ? 0 : 1;
    for await (const { json, request } of answersOf(probe)) {
      looked++;
      const found = insecure(upstreamAddressesIn(json));
      if (found.length > 0) proofs.push(request);
      seen.push(...found);
    }
    if (looked === 0) return notApplicable("There is neither a document nor a response to examine.");
    for (const request of proofs) await probe.baseline(request);
    return seen.length === 0 ? pass() : fail(`Seen: ${[...new Set(seen)].slice(0, 5).join("; ")}.`);
  },
});

/** Addresses of the document that an implementation uses, by the names on the way to them; no links, no examples. */
function declaredIn(document: ApiDocument | undefined): UpstreamAddress[] {
  return (document?.addresses ?? []).flatMap(({ pointer, url }) => {
    const names = pointer.split("/");
    const name = names.findLast((each) => !/^\d+$/.test(each)) ?? "";
    return isUpstreamName(name) && !names.some((each) => NO_SETTING.test(each)) ? [{ name, url }] : [];
  });
}

const NO_SETTING = /^(externalDocs|info|examples?|default|enum|description|x-logo)$/;

async function* answersOf(probe: Probe) {
  const metadata = readOf(`${probe.profile.target.origin}/.well-known/openid-configuration`);
  const published = await probe.baseline(metadata);
  if (isSuccess(published)) yield published;
  for await (const reply of ordinaryReplies(probe, 20)) if (isSuccess(reply)) yield reply;
}
