import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { examineGraphql } from "../../attacks/graphql.ts";
import { theHost } from "../../attacks/subjects.ts";
import { graphqlRequest } from "../../inventory/graphql/request.ts";
import { LIKELY_QUERIES, suggestionsIn } from "../../inventory/graphql/schema-from-errors.ts";
import { listMember, textMember } from "../../json.ts";
import { withoutMeaning } from "../../oracles/classify.ts";

export default defineCheck({
  id: "inventory-management/graphql-suggestions",
  kind: "differential",
  category: "inventoryManagement",
  title: "GraphQL field suggestions enabled",
  severity: "info",
  confidence: "confirmed",
  description:
    "Errors about unknown fields suggest existing ones. An attacker can reconstruct the schema from them, even where introspection is disabled.",
  rule: "An error about a misspelled or a likely field suggests names of others.",
  control: "A query for a random field, whose error suggests none.",
  remediation: "Disable field suggestions in production, together with introspection.",
  references: { cwe: 200, owasp: "API9:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  examine: (_, probe) =>
    examineGraphql(probe, async ({ url, location, unknownField }) => {
      const suggestedBy = (json: unknown): string[] =>
        listMember(json, "errors", 150).flatMap((error) =>
          suggestionsIn({ message: textMember(error, "message", 1_000) ?? "" }),
        );
      const control = await unknownField();
      const unclear = withoutMeaning(control);
      if (unclear && control.status < 500) return inconclusive(unclear);
      const known = probe.profile.operations.flatMap(({ facts }) => facts.graphqlField ?? []);
      const misspelled = known.slice(0, 5).map((name) => `${name}x`);
      const response = await probe.attack(
        graphqlRequest(url, `{${[...misspelled, LIKELY_QUERIES].join(" ")}}`),
      );
      const names = suggestedBy(response.json).filter((name) => !suggestedBy(control.json).includes(name));
      if (names.length === 0) return pass();
      return fail(`Suggested: ${[...new Set(names)].slice(0, 5).join(", ")}.`, { location });
    }),
});
