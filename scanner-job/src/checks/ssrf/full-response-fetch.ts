import { canaryHost, urlParameters, urlPrior, type UrlParameter } from "../../attacks/url-parameters.ts";
import { defineCheck, fail, inconclusive, pass, type Verdict } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { notReached } from "../../attacks/refusals.ts";
import type { Probe } from "../../engine/probe.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { reads } from "../../attacks/subjects.ts";
import { compareInRounds } from "../../attacks/differential.ts";
import type { Operation } from "../../inventory/operation.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck<UrlParameter>({
  id: "ssrf/full-response-fetch",
  kind: "differential",
  category: "ssrf",
  title: "SSRF (full response)",
  severity: "high",
  confidence: "confirmed",
  description:
    "The server fetches a URL from the request and returns its content. An attacker can read internal services, administration interfaces and other resources that only the server can reach.",
  rule: "With the URL of a resource of the target, the response contains that resource's content, which the request does not; with a nonexistent host, it does not.",
  control: "The same path on a nonexistent host.",
  remediation:
    "Allow only hosts on an allowlist; resolve the name first, reject loopback, private and link-local addresses, and connect to the resolved address; return only the expected kind of content.",
  references: {
    cwe: 918,
    owasp: "API7:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:L/SI:N/SA:N",
  },

  prior: urlPrior,
  subjects: (profile) => urlParameters(profile),
  notApplicable: "No read, preview or validation operation takes a URL.",

  async examine(point, probe) {
    const known = await knownResource(probe, point.operation);
    if (!known) return inconclusive("The target serves no resource by which a fetch could be recognized.");
    const unreached: Verdict[] = [];
    for (const address of spellingsOf(known.request.url)) {
      const response = await probe.attack(await point.carrying(probe, address));
      const stopped = notReached(response);
      if (stopped) unreached.push(stopped);
      if (!contains(response, known)) continue;

      const different = (): Promise<boolean> => isWithoutContent(point, probe, known);
      const same = async (): Promise<boolean> => contains(await probe.again(response.request), known);
      const compared = (await different()) ? await compareInRounds({ same, different }) : "similar";
      return compared !== "apart"
        ? inconclusive("The operation returns that content intermittently, for any URL.")
        : fail(`The content of ${new URL(known.request.url).pathname} was in the response.`);
    }
    return unreached[0] ?? pass();
  },
});

/**
 * Whether the response for the same path of a host that cannot exist, another each time, lacks the content. The same words in
 * another order are also that content: some targets return one response for everything.
 */
async function isWithoutContent(point: UrlParameter, probe: Probe, known: ProbeResponse): Promise<boolean> {
  const elsewhere = new URL(known.request.url);
  elsewhere.host = canaryHost(probe.nonce());
  const control = await probe.control(await point.carrying(probe, elsewhere.href));
  return !contains(control, known) && !areSimilar(control, known);
}

/** The address as it is, and on the server's own loopback in forms that lists of forbidden hosts do not know. */
function spellingsOf(address: string): readonly string[] {
  const { protocol, port, pathname, search } = new URL(address);
  const at = (host: string): string =>
    `${protocol}//${host}${port === "" ? "" : `:${port}`}${pathname}${search}`;
  return [address, at("127.1"), at("2130706433"), at("[::ffff:127.0.0.1]"), at("localhost.")];
}

/** A small public resource with distinctive content. */
async function knownResource(probe: Probe, besides: Operation): Promise<ProbeResponse | undefined> {
  const candidates = reads(probe.profile).filter(
    (operation) =>
      operation !== besides && operation.facts.security !== "required" && !operation.facts.path.includes("{"),
  );
  for (const operation of candidates.slice(0, 5)) {
    const response = await probe.baseline(operation.request());
    if (isSuccess(response) && !response.truncated && piecesOf(response.body).length === PIECES)
      return response;
  }
  return undefined;
}

const PIECES = 3;
const PIECE_LENGTH = 16;

/** Most of the pieces; a time or an escaped letter may invalidate one. */
const contains = (response: ProbeResponse, known: ProbeResponse): boolean => {
  const text = squeezed(response.body + decodedIn(response.body));
  return piecesOf(known.body).filter((piece) => text.includes(piece)).length >= PIECES - 1;
};

/** What is in the response in base64, as a picture or an attachment would be. */
const decodedIn = (body: string): string =>
  (body.slice(0, 262_144).match(/[A-Za-z\d+/]{40,}/g) ?? [])
    .slice(0, 5)
    .map((run) => Buffer.from(run, "base64").toString())
    .join("\n");

/** Pieces from the start, the middle and the end of the first part of a body. */
function piecesOf(body: string): string[] {
  const text = squeezed(body).slice(0, 2000);
  if (text.length < PIECES * PIECE_LENGTH) return [];
  return [0, (text.length - PIECE_LENGTH) >> 1, text.length - PIECE_LENGTH].map((start) =>
    text.slice(start, start + PIECE_LENGTH),
  );
}

/** Without spaces and escapes, so that content inside a JSON string is the same; numbers and ids may change with each response. */
const squeezed = (text: string): string =>
  text
    .slice(0, 262_144)
    .replace(/\\[nrt]|[\s\\]/g, "")
    .replace(/[\da-f]{8}-[\da-f-]{27}|\d[\d.:TZ-]*/gi, "#");
