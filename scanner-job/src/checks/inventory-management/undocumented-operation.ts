import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { isPublicByNature } from "../../attacks/purpose.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import { documentedVersionOf } from "../../attacks/versions.ts";
import type { Operation } from "../../inventory/operation.ts";

export default defineCheck({
  id: "inventory-management/undocumented-operation",
  kind: "differential",
  category: "inventoryManagement",
  title: "Undocumented endpoint (shadow API)",
  severity: "low",
  confidence: "firm",
  description:
    "The API serves an undocumented operation. It is missing from reviews, tests and gateway rules, and an attacker may find it unprotected.",
  rule: "A path that was found outside the document succeeds and returns data, and a random path gets a different response.",
  control: "A random path of the same form.",
  remediation:
    "Document the operation with its authentication requirements, or remove it. Generate the document from the routes, so that it is complete.",
  references: {
    cwe: 1059,
    owasp: "API9:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    profile.document
      ? spread(
          reads(profile).filter(
            (operation) =>
              operation.facts.source === "discovered" &&
              isOperation(operation) &&
              documentedVersionOf(operation, profile.operations) === undefined,
          ),
        )
      : [],
  notApplicable: "No document was found to compare with, or no undocumented path was found.",

  async examine(operation, probe) {
    const request = await probe.withRealIds(operation);
    const missing = await probe.missing(request);
    const response = await probe.attack(request);
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(response))
      return inconclusive(`A request without credentials returned status ${response.status}.`);
    if (isSuccess(missing)) return inconclusive("A random nonexistent path succeeds too.");
    if (areSimilar(response, missing) || !isData(response.json)) return pass();
    const { intimate, owned } = personalFields(response.json);
    const fields = [...intimate, ...owned];
    return fields.length > 0
      ? fail(`It returned ${fields.slice(0, 4).join(", ")}.`, { severity: "medium" })
      : fail(`It returned status ${response.status} with data.`);
  },
});

/** Entry pages, signs of life and files are in no document by custom. */
const isOperation = ({ facts }: Operation): boolean =>
  facts.path.replaceAll("/", "") !== "" &&
  !isPublicByNature(facts) &&
  !/\.(json|ya?ml|xml|txt|map|js|css|webmanifest)$|api-docs|graphql|\/\.|^\/(actuator|metrics)\b/i.test(
    facts.path,
  );

const isData = (json: unknown): boolean =>
  typeof json === "object" && json !== null && Object.keys(json).length > 0;
