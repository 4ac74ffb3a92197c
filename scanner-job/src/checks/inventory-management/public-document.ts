import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";

export default defineCheck({
  id: "inventory-management/public-document",
  kind: "passive",
  category: "inventoryManagement",
  title: "OpenAPI document publicly accessible",
  severity: { default: "info", internal: "low" },
  confidence: "confirmed",
  description:
    "Everybody can read the document of the API, with all operations and fields. For a public API that is a service; for any other it is a map for attackers.",
  rule: "The document was fetched from the target without credentials, and is valid.",
  control: "None: the document itself is the proof.",
  remediation:
    "Where the API is not for the public, serve its document to signed-in callers only, or not in production.",
  references: { cwe: 200, owasp: "API9:2023" },

  subjects: ({ document, host }) => (document ? [host] : []),
  notApplicable: "No document was given or found.",

  async examine(_, probe) {
    const { isPublic, origin, operations } = probe.profile.document!;
    if (!isPublic) return pass();
    const reply = await probe.baseline(readOf(origin));
    const path = new URL(origin).pathname;
    return reply.status === 200
      ? fail(`${path} names ${operations.length} operations.`, { location: { method: "GET", path } })
      : inconclusive(`The document was answered with status ${reply.status} when it was requested again.`);
  },
});
