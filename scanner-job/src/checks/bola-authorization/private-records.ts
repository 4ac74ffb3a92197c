import { defineObservation } from "../../engine/check.ts";
import { isObject, pathOf, walk, type JsonObject } from "../../json.ts";
import { lettersOf } from "../../names.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { describesApi } from "../../signatures/api-description.ts";

export default defineObservation({
  id: "bola-authorization/private-records",
  category: "bolaAuthorization",
  title: "Private records returned to anonymous users",
  severity: "medium",
  confidence: "firm",
  description:
    "A list that is returned without credentials contains records marked as private. An unauthenticated attacker can read data that its owners did not publish.",
  rule: 'At least one record of a list says that it is private (`private: true`, `public: false`, `visibility: "private"`), and has a text besides.',
  remediation:
    "Filter records by the caller's permissions in the query, and require credentials for private ones.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  observe(response, { operation, isBaseline }) {
    if (!isBaseline || !operation || !isSuccess(response) || describesApi(response)) return undefined;
    const locations = [...walk(response.json, { depth: 5, items: 100, values: 3_000 })].filter(
      ({ value, parent }) => Array.isArray(parent?.value) && isObject(value) && isPrivate(value),
    );
    const [first] = locations;
    return first && { observed: `${locations.length} records of ${pathOf(first)} are marked as private.` };
  },
});

function isPrivate(record: JsonObject): boolean {
  const members = Object.entries(record).map(([name, value]) => [lettersOf(name), value] as const);
  const isMarked = members.some(
    ([name, value]) =>
      (/^(is)?(private|confidential)$/.test(name) && value === true) ||
      (/^(is)?public$/.test(name) && value === false) ||
      (/^(visibility|access|privacy)$/.test(name) && /^(private|confidential)$/i.test(String(value))),
  );
  return isMarked && members.some(([, value]) => typeof value === "string" && value.length >= 3);
}
