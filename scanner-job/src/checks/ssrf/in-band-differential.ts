import { canaryHost, urlParameters, urlPrior, type UrlParameter } from "../../attacks/url-parameters.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { connectionError } from "../../signatures/error-messages.ts";
import { notReached } from "../../attacks/refusals.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

/** A port on which nothing listens (tcpmux, RFC 1078): a connection to it is refused immediately. */
const CLOSED_PORT = "http://127.0.0.1:1/";

export default defineCheck<UrlParameter>({
  id: "ssrf/in-band-differential",
  kind: "differential",
  category: "ssrf",
  title: "SSRF (blind, in-band differential)",
  severity: { default: "medium", internal: "high" },
  confidence: "firm",
  description:
    "The server connects to a URL from the request, including loopback addresses, and its responses distinguish refused, unresolvable and malformed addresses. An attacker can scan the internal network and reach services that trust the server.",
  rule: "A closed loopback port, a nonexistent host and a malformed address get three different responses, the same each time; and the response reports a refused connection, or an open port gets a different response than the closed one.",
  control: "A nonexistent host (twice, with different names) and a malformed address.",
  remediation:
    "Allow only hosts on an allowlist; resolve the name first, reject loopback, private and link-local addresses, and connect to the resolved address; do not follow redirects, and return the same status and text for every failure.",
  references: {
    cwe: 918,
    owasp: "API7:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:L/SI:N/SA:N",
  },

  prior: urlPrior,
  cost: 2, // most servers respond to the first two addresses in the same way
  subjects: (profile) => urlParameters(profile),
  notApplicable: "No read, preview or validation operation takes a URL.",

  async examine(point, probe) {
    const send = async (role: "attack" | "control", address: string) => {
      const response = await probe[role](await point.carrying(probe, address));
      return { response, words: wordsOf(response, address) };
    };
    const closed = await send("attack", CLOSED_PORT);
    const unknown = await send("control", `http://${canaryHost(probe.nonce())}/`);
    const unreached = notReached(closed.response) ?? notReached(unknown.response);
    if (unreached) return unreached;
    if (closed.words === unknown.words) return pass();

    const malformed = await send("control", `not an address ${probe.nonce()}`);
    if (closed.words === malformed.words || unknown.words === malformed.words) return pass();
    const [other, repeated] = [
      await send("control", `http://${canaryHost(probe.nonce())}/`),
      await probe.again(closed.response.request),
    ];
    if (other.words !== unknown.words || wordsOf(repeated, CLOSED_PORT) !== closed.words)
      return inconclusive("Responses to the same kind of address differ from each other.");

    if (connectionError(closed.response.body) === "refused")
      return fail("The response reports the refused connection to port 1 of the server itself.");
    const open = await send("attack", `http://127.0.0.1:${portOf(probe.profile.target)}/`);
    // A filter that refuses loopback returns the same response for every port of it.
    return open.words === closed.words
      ? pass()
      : fail("Responses distinguish open and closed ports of the server.");
  },
});

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

/** Status and words of a response, without what it repeats of the address and what changes from one to the next. */
function wordsOf({ status, body }: ProbeResponse, address: string): string {
  const encoded = new URLSearchParams({ address }).toString().slice("address=".length);
  const forms = [address, encodeURIComponent(address), encoded, address.replaceAll("/", "\\/")];
  const text = forms.reduce((rest, form) => rest.replaceAll(form, "¤"), body.slice(0, 16_384));
  return `${status} ${text.replace(HOSTS, "¤").replace(VARYING, "#")}`;
}

/** The hosts of all addresses that are sent, in every response: the target's own may be one of them. */
const HOSTS = /(127\.0\.0\.1|glovebox-[a-z]{16}\.invalid)((:|%3A)\d{1,5})?/gi;
const VARYING = /[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{16,}\b|\d[\d.:TZ-]*/gi;
