import { ANONYMOUS } from "@glovebox/contract";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { examineGraphql } from "../../attacks/graphql.ts";
import { graphqlData, graphqlRequest } from "../../inventory/graphql/request.ts";
import { listMember } from "../../json.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import { theHost } from "../../attacks/subjects.ts";

const QUERY = "{__schema{queryType{name} mutationType{name} types{name}}}";

export default defineCheck({
  id: "inventory-management/graphql-introspection",
  kind: "differential",
  category: "inventoryManagement",
  caller: ANONYMOUS,
  title: "GraphQL introspection enabled",
  severity: { default: "low", public: "info" },
  confidence: "confirmed",
  description:
    "GraphQL introspection is enabled without credentials. An attacker can read the full schema, including types, fields and mutations that are not meant for public clients.",
  rule: "A query for `__schema` returns a list of types, and one for a random field does not.",
  control: "A query for a nonexistent field.",
  remediation:
    "Disable introspection and field suggestions in production, or restrict them to authenticated developers.",
  references: { cwe: 200, owasp: "API9:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  examine: (_, probe) =>
    examineGraphql(probe, async ({ url, location, unknownField }) => {
      const other = await unknownField();
      const response = await probe.attack(graphqlRequest(url, QUERY));
      if (typesIn(other.json) !== undefined) return inconclusive("Every query returns a schema.");
      const types = typesIn(response.json);
      const unclear = withoutMeaning(response);
      if (types === undefined) return unclear ? inconclusive(unclear) : pass();
      return fail(`${types} types were listed.`, { location });
    }),
});

function typesIn(json: unknown): number | undefined {
  const { length } = listMember(graphqlData(json)[0]?.["__schema"], "types", Infinity);
  return length > 0 ? length : undefined;
}
