import { defineCheck, fail, pass, type TargetProfile } from "../../engine/check.ts";
import { takesUrl } from "../../attacks/url-parameters.ts";
import type { Operation } from "../../inventory/operation.ts";

export default defineCheck({
  id: "ssrf/declared-callbacks",
  kind: "passive",
  category: "ssrf",
  title: "User-controlled URL fetch (SSRF surface)",
  severity: "info",
  confidence: "firm",
  description:
    "The document declares callbacks, webhooks or imports: the server sends requests to URLs that callers register. An attacker may use them to reach internal systems; review which addresses they reject. These operations are not tested.",
  rule: "The document declares callbacks or webhooks, or a write takes a field that is a URL by name or format.",
  control: "None: the document itself is the proof.",
  remediation:
    "Accept only HTTPS URLs with public addresses, check the address again at each call, sign outgoing requests, do not follow redirects, and do not return the response to the caller.",
  references: { cwe: 918, owasp: "API7:2023" },

  subjects: (profile) => (profile.document ? [profile.host] : []),
  notApplicable: "No document of the API was found.",

  async examine(_, probe) {
    const locations = locationsOf(probe.profile);
    const [first] = locations;
    if (!first) return pass();
    const names = locations.slice(0, 12).map(({ name }) => name);
    return fail(`Declared: ${names.join("; ")}.`, { pointer: first.pointer });
  },
});

interface Declaration {
  readonly name: string;
  readonly pointer: string;
}

const locationsOf = ({ document, operations }: TargetProfile): Declaration[] => [
  ...(document?.callbacks ?? []).map((name) => ({
    name: `callback or webhook ${name}`,
    pointer: "/paths", // callbacks are below operations, in no single location
  })),
  ...operations.filter(({ facts }) => facts.method !== "GET").flatMap(addressesOf),
];

const addressesOf = ({ facts, location, pointer }: Operation): Declaration[] =>
  (facts.body?.fields ?? [])
    .filter(
      (field) => field.type === "string" && !field.readOnly && CALLED.test(field.name) && takesUrl(field),
    )
    .map(({ path }) => ({
      name: `${path} of ${location.method} ${location.path}`,
      pointer: `${pointer}/requestBody`,
    }));

/** A person's web site or picture is seldom called. */
const CALLED = /callback|hook|notif|import|fetch|feed|source|endpoint|proxy|^ur[il]$/i;
