import { ANONYMOUS } from "@glovebox/contract";
import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";

export default defineCheck({
  id: "inventory-management/public-document",
  kind: "passive",
  category: "inventoryManagement",
  caller: ANONYMOUS,
  title: "OpenAPI document publicly accessible",
  severity: { default: "info", internal: "low" },
  confidence: "confirmed",
  description:
    "The OpenAPI document is public and lists all operations and fields. This is intended for a public API; for any other, it shows an attacker the whole attack surface.",
  rule: "The document was fetched from the target without credentials, and is valid.",
  control: "None: the document itself is the proof.",
  remediation:
    "If the API is not public, restrict the document to authenticated callers, or do not serve it in production.",
  references: { cwe: 200, owasp: "API9:2023" },

  subjects: ({ document, host }) => (document ? [host] : []),
  notApplicable: "No document was given or found.",

  async examine(_, probe) {
    const { isPublic, origin, operations } = probe.profile.document!;
    if (!isPublic) return pass();
    const response = await probe.baseline(readOf(origin));
    const path = new URL(origin).pathname;
    return response.status === 200
      ? fail(`${path} names ${operations.length} operations.`, { location: { method: "GET", path } })
      : inconclusive(`The document returned status ${response.status} when it was requested again.`);
  },
});
