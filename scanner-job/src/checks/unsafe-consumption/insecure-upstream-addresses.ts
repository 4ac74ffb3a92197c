import { defineCheck, fail, pass, type Verdict } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import {
  insecurityOf,
  isUpstreamName,
  upstreamAddressesIn,
  type UpstreamAddress,
} from "../../signatures/hosts.ts";
import type { ApiDocument } from "../../inventory/api-document.ts";
import { describesApi } from "../../signatures/api-description.ts";

export default defineCheck({
  id: "unsafe-consumption/insecure-upstream-addresses",
  kind: "passive",
  category: "unsafeConsumption",
  title: "Third-party API consumed over insecure transport",
  severity: "medium",
  confidence: "tentative",
  description:
    "The API lists upstream services or key URLs with plain `http:` or internal addresses. An attacker on the network path can modify their responses, which the API trusts.",
  rule: "A URL of another host under a name such as `jwks_uri`, `upstream` or `callbackUrl` is plain HTTP or in a private range.",
  control: "None: the URL itself is the proof.",
  remediation:
    "Use HTTPS with verified certificates for every upstream, also inside the network, and remove internal addresses from responses and documents.",
  references: {
    cwe: 319,
    owasp: "API10:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:P/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => (profile.document ? [profile.host] : []),
  notApplicable: "No document was found.",

  examine: (_, { profile: { document, target } }) =>
    Promise.resolve(verdictOn(insecure(declaredIn(document), target))),

  observe(response, { profile: { target } }) {
    if (!isSuccess(response) || describesApi(response)) return undefined;
    const addresses = insecure(upstreamAddressesIn(response.json), target);
    return addresses.length === 0
      ? undefined
      : { observed: sentence(addresses), values: addresses.map(({ url }) => url) };
  },
});

interface Insecure extends UpstreamAddress {
  readonly why: string;
  readonly pointer?: string;
}

const insecure = (addresses: readonly Omit<Insecure, "why">[], { hostname }: URL): Insecure[] =>
  addresses.flatMap((address) => {
    const why = insecurityOf(address, hostname);
    return why ? [{ ...address, why }] : [];
  });

function verdictOn(addresses: readonly Insecure[]): Verdict {
  const pointer = addresses[0]?.pointer;
  return pointer === undefined ? pass() : fail(sentence(addresses), { pointer });
}

function sentence(addresses: readonly Insecure[]): string {
  const seen = addresses.map(({ name, why, url }) => `${name} ${why}: ${url}`);
  return `Seen: ${[...new Set(seen)].slice(0, 5).join("; ")}.`;
}

/** Addresses of the document that an implementation uses, by the names on the way to them; no links, no examples. */
function declaredIn(document: ApiDocument | undefined): Omit<Insecure, "why">[] {
  return (document?.addresses ?? []).flatMap(({ pointer, url }) => {
    const names = pointer.split("/");
    const name = names.findLast((each) => !/^\d+$/.test(each)) ?? "";
    return isUpstreamName(name) && !names.some((each) => NO_SETTING.test(each))
      ? [{ name, url, pointer }]
      : [];
  });
}

const NO_SETTING = /^(externalDocs|info|examples?|default|enum|description|x-logo)$/;
