import { defineCheck, fail, inconclusive, pass, notApplicable } from "../../engine/check.ts";
import { withHeader } from "../../attacks/credentials.ts";
import { canaryHost } from "../../attacks/url-parameters.ts";
import type { Probe } from "../../engine/probe.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { theHost } from "../../attacks/subjects.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { hostsIn, isNonProduction, siteOf } from "../../signatures/hosts.ts";
import { readOf, ProbeResponse } from "../../transport/exchange.ts";

const MAX_HOSTS = 6;

/** Every request goes to the address of the target: no name is looked up, and no other host is asked. */
export default defineCheck({
  id: "inventory-management/other-virtual-host",
  kind: "differential",
  category: "inventoryManagement",
  title: "Hidden virtual host exposed",
  severity: "low",
  confidence: "firm",
  description:
    "The server at this address also serves another virtual host, whose name is in its certificate or document. An attacker can reach internal or test hosts without public DNS by setting the `Host` header.",
  rule: "With a name from the certificate or the document's servers in `Host`, the entry page succeeds and differs from those for the target's name and for a nonexistent name.",
  control: "The same request with the target's name, and with a nonexistent name.",
  remediation:
    "Serve non-public hosts at a separate address, require credentials there, and return 421 for unknown names.",
  references: { cwe: 1059, owasp: "API9:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(_, probe) {
    const names = await namesBeside(probe);
    if (names.length === 0)
      return notApplicable("Neither the certificate nor the document lists another host of this site.");
    const { target, calibration } = probe.profile;
    const request = readOf(target.href);
    const own = await probe.control(request);
    const unclear = withoutMeaning(own);
    if (unclear) return inconclusive(unclear);
    const nobody = canaryHost(calibration.nonce);
    const unknown = await probe.control(withHeader(request, "host", nobody));
    const others = [withoutName(own, target.hostname), withoutName(unknown, nobody)];
    for (const name of names) {
      const response = withoutName(await probe.attack(withHeader(request, "host", name)), name);
      if (!isSuccess(response) || others.some((other) => areSimilar(response, other))) continue;
      return fail(
        `With ${name}, status ${response.status} was returned with other content.`,
        isNonProduction(name) ? { severity: "medium" } : {},
      );
    }
    return pass();
  },
});

/** The response as it is regardless of the host's name: many build addresses of the name that was asked for. */
const withoutName = ({ request, status, headers, body }: ProbeResponse, name: string): ProbeResponse =>
  new ProbeResponse({ request, status, headers, body: body.replaceAll(name, "¤") });

/** Names of the target's site, by its certificate and its document. An IP address has no site: each name may be of its server. */
async function namesBeside(probe: Probe): Promise<string[]> {
  const { target, document } = probe.profile;
  const named = [...(await certificateNames(probe)), ...(document?.servers ?? []).flatMap(hostsIn)];
  const isOfSite = (name: string): boolean =>
    /^[\d.]+$|^\[/.test(target.hostname) || siteOf(name) === siteOf(target.hostname);
  return [...new Set(named.map((name) => name.toLowerCase()))]
    .filter((name) => NAME.test(name) && name !== target.hostname && isOfSite(name))
    .slice(0, MAX_HOSTS);
}

async function certificateNames(probe: Probe): Promise<string[]> {
  if (probe.profile.target.protocol !== "https:") return [];
  const { certificate } = await probe.handshake();
  return [...(certificate.subjectaltname ?? "").slice(0, 10_000).matchAll(/DNS:([\w.-]{1,253})/g)].map(
    ([, name]) => name!,
  );
}

/** Neither a wildcard nor this machine. */
const NAME = /^[a-z\d]([a-z\d-]*\.)+[a-z]{2,63}$/;
