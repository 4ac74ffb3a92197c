import { defineCheck, fail, inconclusive, pass, type TargetProfile } from "../../engine/check.ts";
import { BLOCKED, isBlocked } from "../../oracles/classify.ts";
import { hostsIn, isNonProduction } from "../../signatures/hosts.ts";
import { theHost } from "../../attacks/subjects.ts";
import { readOf, type ProbeResponse } from "../../transport/exchange.ts";

/** Nothing is sent to the hosts that are found. */
export default defineCheck({
  id: "inventory-management/non-production-servers",
  kind: "passive",
  category: "inventoryManagement",
  title: "Non-production hosts disclosed",
  severity: { default: "low", internal: "info" },
  confidence: "firm",
  description:
    "The OpenAPI document or a header discloses non-production hosts. They are often less protected and hold copies of real data, which makes them attractive targets for an attacker.",
  rule: "A host name in the document's servers or login URLs, or in CSP or CORS headers, has a part such as `staging`, `dev` or `internal`.",
  control: "None: the name itself is the proof.",
  remediation: "Publish only production servers in the document, and restrict network access to the others.",
  references: { cwe: 1059, owasp: "API9:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(_, probe) {
    const { profile } = probe;
    const entry = await probe.baseline(readOf(profile.target.href));
    if (isBlocked(entry) && !profile.document) return inconclusive(BLOCKED);
    const { hostname } = profile.target;
    const named = [...new Set([...documentHosts(profile), ...headerHosts(entry)])].filter(
      (host) => host !== hostname && isNonProduction(host),
    );
    // On a test system, other non-production servers are expected.
    return named.length === 0 || isNonProduction(hostname)
      ? pass()
      : fail(`Seen: ${named.slice(0, 5).join(", ")}.`);
  },
});

const documentHosts = ({ document }: TargetProfile): string[] =>
  document
    ? [...document.servers, ...document.securitySchemes.flatMap(({ urls }) => urls)].flatMap(hostsIn)
    : [];

const HEADERS = [
  "content-security-policy",
  "content-security-policy-report-only",
  "access-control-allow-origin",
  "link",
];
const headerHosts = ({ headers }: ProbeResponse): string[] =>
  HEADERS.flatMap((name) => hostsIn(headers[name] ?? ""));
