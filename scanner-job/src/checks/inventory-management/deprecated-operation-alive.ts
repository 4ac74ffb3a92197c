import { defineCheck, fail, inconclusive } from "../../engine/check.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import { notServed } from "../../attacks/route-existence.ts";
import { reads } from "../../attacks/subjects.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck({
  id: "inventory-management/deprecated-operation-alive",
  kind: "differential",
  category: "inventoryManagement",
  title: "Deprecated endpoint still active (zombie API)",
  severity: "low",
  confidence: "confirmed",
  description:
    "An operation that is marked as deprecated is still served. Deprecated operations are often unmaintained, and an attacker may find vulnerabilities that are fixed in newer ones.",
  rule: "The operation is marked `deprecated`, succeeds, and gets a different response than a random path.",
  control: "A random path of the same form.",
  remediation:
    "Announce a date in the `Sunset` header (RFC 8594), migrate the remaining clients, and remove the operation on that date.",
  references: {
    cwe: 1059,
    owasp: "API9:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => reads(profile).filter(({ facts }) => facts.deprecated),
  notApplicable: "The document marks no read as deprecated.",

  async examine(operation, probe) {
    const request = await probe.withRealIds(operation);
    const missing = await probe.missing(request);
    const response = await probe.attack(request);
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    const unserved = notServed(response, missing);
    if (unserved) return unserved;
    return isPastSunset(response)
      ? fail(`Its announced end of life, ${response.headers["sunset"]}, has passed.`, { severity: "medium" })
      : fail(`It returned status ${response.status}.`);
  },
});

/** By the server's own clock. */
function isPastSunset({ headers }: ProbeResponse): boolean {
  const [sunset, today] = [Date.parse(headers["sunset"] ?? ""), Date.parse(headers["date"] ?? "")];
  return sunset < today;
}
