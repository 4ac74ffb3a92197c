import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import type { OperationFacts } from "../../inventory/operation.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck({
  id: "inventory-management/undocumented-response",
  kind: "passive",
  category: "inventoryManagement",
  title: "Response does not conform to its schema",
  severity: "info",
  confidence: "confirmed",
  description:
    "A baseline response has a status or media type that the document does not declare. Clients and gateway rules generated from the document do not handle it, and undocumented responses may expose data unnoticed.",
  rule: "The status of a successful response is declared neither itself, nor by its class, nor by `default`; or its media type is undeclared.",
  control: "None: the response itself is the proof.",
  remediation: "Generate the document from the code, and test responses against it.",
  references: { cwe: 1059, owasp: "API9:2023" },

  subjects: (profile) =>
    profile.document
      ? spread(reads(profile).filter(({ facts }) => facts.source === "spec" && facts.responses.length > 0))
      : [],
  notApplicable: "No document declares the responses of a read.",

  async examine(operation, probe) {
    const response = await probe.baseline(await probe.withRealIds(operation));
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    // Refusals are left out: few documents name them, and an id may no longer exist.
    if (response.status >= 300)
      return inconclusive("Without credentials there was no successful response to examine.");
    const drift = driftOf(response, operation.facts);
    return drift === undefined ? pass() : fail(drift);
  },
});

/** In what a response differs from its declaration; undefined when it does not. */
function driftOf(response: ProbeResponse, { responses }: OperationFacts): string | undefined {
  const names = [String(response.status), `${String(response.status)[0]}XX`, "DEFAULT"];
  const declared = responses.filter(({ status }) => names.includes(status.toUpperCase()));
  if (declared.length === 0) return `Status ${response.status} is not declared.`;
  const types = declared.flatMap(({ mediaType }) =>
    mediaType === undefined ? [] : [mediaType.toLowerCase()],
  );
  const isDeclared =
    types.length === 0 ||
    response.mediaType === "" ||
    types.some(
      (type) =>
        type.split(";")[0]!.trim() === response.mediaType ||
        type.includes("*") ||
        (isJson(type) && isJson(response.mediaType)),
    );
  return isDeclared
    ? undefined
    : `Media type ${response.mediaType} is not declared; ${types.slice(0, 3).join(", ")} is.`;
}

const isJson = (type: string): boolean => /[/+]json\b/.test(type);
