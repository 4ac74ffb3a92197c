import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { isPublicByNature } from "../../attacks/purpose.ts";
import { alike } from "../../oracles/similarity.ts";
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
    "The API serves an operation that its document does not contain. Such operations are left out of reviews, tests and gateway rules.",
  rule: "A path that was found outside the document is answered with success and with data, and a random path is answered differently.",
  control: "A random path of the same shape.",
  remediation:
    "Document the operation with the credentials that it needs, or remove it. Generate the document from the routes, so that none is left out.",
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
  notApplicable: "There is no document to compare with, or no undocumented path was found.",

  async examine(operation, probe) {
    const request = await probe.withRealIds(operation);
    const missing = await probe.missing(request);
    const reply = await probe.attack(request);
    const unclear = withoutMeaning(reply);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(reply))
      return inconclusive(`It answered status ${reply.status} to a caller without credentials.`);
    if (isSuccess(missing))
      return inconclusive("A random path that does not exist is answered with success too.");
    if (alike(reply, missing) || !isData(reply.json)) return pass();
    const { intimate, owned } = personalFields(reply.json);
    const fields = [...intimate, ...owned];
    return fields.length > 0
      ? fail(`It returned ${fields.slice(0, 4).join(", ")}.`, { severity: "medium" })
      : fail(`It answered status ${reply.status} with data.`);
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
