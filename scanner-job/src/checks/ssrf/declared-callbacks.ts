import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, pass, type TargetProfile } from "../../engine/check.ts";
import { takesUrl } from "../../attacks/url-parameters.ts";
import type { Operation } from "../../inventory/operation.ts";

export default defineCheck({
  id: "ssrf/declared-callbacks",
  category: "ssrf",
  title: "User-controlled URL fetch (SSRF surface)",
  severity: "info",
  confidence: "firm",
  description:
    "By its document the API calls addresses that callers register (callbacks, webhooks, imports). Each is a way to make the server send requests; review which addresses it refuses. Such writes are not tested.",
  rule: "The document declares callbacks or webhooks, or a write takes a field that by name or format is an address.",
  control: "None: the document itself is the proof.",
  remediation:
    "For each: accept only https and public addresses, check the address again when it is called, sign what is sent, follow no redirect and pass nothing of the answer on.",
  references: { cwe: 918, owasp: "API7:2023" },
  passive: true,

  subjects: (profile) => (profile.document ? [profile.host] : []),
  notApplicable: "There is no document of the API.",

  async examine(_, probe) {
    const places = placesOf(probe.profile);
    if (places.length === 0) return pass();
    await probe.baseline(readOf(probe.profile.target.href));
    return fail(`Declared: ${places.slice(0, 12).join("; ")}.`);
  },
});

const placesOf = ({ document, operations }: TargetProfile): string[] => [
  ...(document?.callbacks ?? []).map((name) => `callback or webhook ${name}`),
  ...operations.filter(({ facts }) => facts.method !== "GET").flatMap(addressesOf),
];

const addressesOf = ({ facts, location }: Operation): string[] =>
  (facts.body?.fields ?? [])
    .filter(
      (field) => field.type === "string" && !field.readOnly && CALLED.test(field.name) && takesUrl(field),
    )
    .map(({ path }) => `${path} of ${location.method} ${location.path}`);

/** A person's web site or picture is seldom called. */
const CALLED = /callback|hook|notif|import|fetch|feed|source|endpoint|proxy|^ur[il]$/i;
