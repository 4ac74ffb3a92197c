import { ANONYMOUS } from "@glovebox/contract";
import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { looksLikeDocument } from "../../inventory/discovery/console-page.ts";
import { METHODS } from "../../inventory/openapi/reader.ts";
import { objectMember, objectOf } from "../../json.ts";
import { isDenied } from "../../oracles/classify.ts";

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
    if (isDenied(response)) return pass();
    if (response.status !== 200)
      return inconclusive(`The document returned status ${response.status} when it was requested again.`);
    if (!looksLikeDocument(response.json, response.body)) return pass();
    const named = operationsIn(response.json) ?? operations.length;
    return fail(`${path} names ${named} operations.`, { location: { method: "GET", path } });
  },
});

/** Some documents have what their reader may call: an identity may get a longer one. Undefined where it is not JSON. */
const operationsIn = (json: unknown): number | undefined =>
  json === undefined
    ? undefined
    : Object.values(objectMember(json, "paths"))
        .flatMap((item) => Object.keys(objectOf(item)))
        .filter((name) => METHODS.some((method) => method === name)).length;
