import { defineCheck, fail, pass, type TargetProfile } from "../../engine/check.ts";
import { siteOf } from "../../signatures/hosts.ts";

export default defineCheck({
  id: "encryption/http-addresses-in-document",
  kind: "passive",
  category: "encryption",
  title: "Insecure http:// URL in the OpenAPI document",
  severity: { default: "medium", internal: "low" },
  confidence: "confirmed",
  description:
    "The OpenAPI document declares a server or token URL with `http:`. Clients generated from it send credentials unencrypted, and an attacker on the network path can read them.",
  rule: "A server URL, or a URL that tokens are fetched from, begins with `http:` and is not on localhost.",
  control: "None: the document itself is the proof.",
  remediation:
    "Use `https:` in `servers`, `tokenUrl`, `authorizationUrl` and similar fields, and regenerate clients.",
  references: {
    cwe: 319,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:A/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => (profile.document && profile.target.protocol === "https:" ? [profile.host] : []),
  notApplicable: "No document was found, or the target is not reached over TLS.",

  async examine(_, probe) {
    const plain = plainAddresses(probe.profile);
    if (plain.length === 0) return pass();
    const isOwn = plain.some(
      (address) => siteOf(new URL(address).hostname) === siteOf(probe.profile.target.hostname),
    );
    const isSignIn = plain.some((address) => signInAddresses(probe.profile).includes(address));
    // Most clients do not use servers of other owners or networks.
    const { addresses } = probe.profile.document!;
    const [first] = plain;
    const pointer = addresses.find(({ url }) => hrefOf(url) === hrefOf(first!))?.pointer ?? "/servers";
    return fail(`Seen: ${plain.slice(0, 3).join(", ")}.`, {
      pointer,
      ...(!isOwn && !isSignIn && { severity: "low" }),
    });
  },
});

const hrefOf = (url: string): string | undefined => URL.parse(url)?.href;

const signInAddresses = ({ document }: Pick<TargetProfile, "document">): string[] =>
  document?.securitySchemes.flatMap(({ urls }) => urls) ?? [];

/** Addresses that clients send credentials to, without TLS. */
function plainAddresses({ document, target }: TargetProfile): string[] {
  const servers = document?.servers ?? [];
  return [...new Set([...servers, ...signInAddresses({ document })])].filter((address) => {
    if (!URL.canParse(address, target.href)) return false;
    const { protocol, hostname } = new URL(address, target.href);
    // The developer's own machine; when that is what is scanned, its plain addresses are what clients get.
    const isLocal = /^(localhost|127\.|\[::1\]|0\.0\.0\.0|.*\.localhost$)/.test(hostname);
    return protocol === "http:" && (!isLocal || hostname === target.hostname);
  });
}
