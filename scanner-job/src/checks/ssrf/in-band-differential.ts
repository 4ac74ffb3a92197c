import { canaryHost, urlParameters, urlPrior, type UrlParameter } from "../../attacks/url-parameters.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { connectionError } from "../../signatures/error-messages.ts";
import { notReached } from "../../attacks/refusals.ts";
import type { Reply } from "../../transport/exchange.ts";

/** A port on which nothing listens (tcpmux, RFC 1078): a connection to it is refused at once. */
const CLOSED_PORT = "http://127.0.0.1:1/";

export default defineCheck<UrlParameter>({
  id: "ssrf/in-band-differential",
  kind: "differential",
  category: "ssrf",
  title: "SSRF (blind, in-band differential)",
  severity: { default: "medium", internal: "high" },
  confidence: "firm",
  description:
    "The server connects to an address from the request, including its own loopback, and its responses distinguish refused, unknown and malformed addresses. Attackers can scan the network behind it and reach services that trust it.",
  rule: "A closed loopback port, a name that cannot exist and a text that is no address are answered in three ways, the same each time; and the answer names a refused connection, or a port that listens is answered differently than the closed one.",
  control: "A name that cannot exist (twice, with other names) and a text that is no address.",
  remediation:
    "Call only hosts of a fixed list; resolve the name first and refuse loopback, private and link-local addresses; connect to the resolved address, follow no redirect, and answer every failure with the same status and text.",
  references: {
    cwe: 918,
    owasp: "API7:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:L/SI:N/SA:N",
  },

  prior: urlPrior,
  cost: 2, // most servers answer the first two addresses alike
  subjects: (profile) => urlParameters(profile),
  notApplicable: "No read, and no operation that only previews or validates, takes an address.",

  async examine(point, probe) {
    const send = async (role: "attack" | "control", address: string) => {
      const reply = await probe[role](await point.carrying(probe, address));
      return { reply, words: wordsOf(reply, address) };
    };
    const closed = await send("attack", CLOSED_PORT);
    const unknown = await send("control", `http://${canaryHost(probe.nonce())}/`);
    const unreached = notReached(closed.reply) ?? notReached(unknown.reply);
    if (unreached) return unreached;
    if (closed.words === unknown.words) return pass();

    const malformed = await send("control", `not an address ${probe.nonce()}`);
    if (closed.words === malformed.words || unknown.words === malformed.words) return pass();
    const [other, repeated] = [
      await send("control", `http://${canaryHost(probe.nonce())}/`),
      await probe.again(closed.reply.request),
    ];
    if (other.words !== unknown.words || wordsOf(repeated, CLOSED_PORT) !== closed.words)
      return inconclusive("Answers to the same kind of address differ from each other.");

    if (connectionError(closed.reply.body) === "refused")
      return fail("The answer names the refused connection to port 1 of the server itself.");
    const open = await send("attack", `http://127.0.0.1:${portOf(probe.profile.target)}/`);
    // A filter that refuses loopback answers every port of it alike.
    return open.words === closed.words
      ? pass()
      : fail("Responses distinguish a port on which the server listens from one on which it does not.");
  },
});

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

/** Status and words of an answer, without what it repeats of the address and what changes from one to the next. */
function wordsOf({ status, body }: Reply, address: string): string {
  const encoded = new URLSearchParams({ address }).toString().slice("address=".length);
  const forms = [address, encodeURIComponent(address), encoded, address.replaceAll("/", "\\/")];
  const text = forms.reduce((rest, form) => rest.replaceAll(form, "¤"), body.slice(0, 16_384));
  return `${status} ${text.replace(HOSTS, "¤").replace(VARYING, "#")}`;
}

/** The hosts of all addresses that are sent, in every answer alike: the target's own may be one of them. */
const HOSTS = /(127\.0\.0\.1|glovebox-[a-z]{16}\.invalid)((:|%3A)\d{1,5})?/gi;
const VARYING = /[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{16,}\b|\d[\d.:TZ-]*/gi;
