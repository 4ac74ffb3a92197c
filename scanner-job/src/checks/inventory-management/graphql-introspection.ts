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
  title: "GraphQL introspection enabled",
  severity: { default: "low", public: "info" },
  confidence: "confirmed",
  description:
    "Introspection is open to callers without credentials. It names every type, field and mutation, also those that no client of the public uses.",
  rule: "A query for `__schema` is answered with a list of types, and one for a random field is not.",
  control: "A query for a field that cannot exist.",
  remediation:
    "Switch introspection off in production, or allow it to signed-in developers only; switch off suggestions of field names too.",
  references: { cwe: 200, owasp: "API9:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  examine: (_, probe) =>
    examineGraphql(probe, async ({ url, location, unknownField }) => {
      const other = await unknownField();
      const reply = await probe.attack(graphqlRequest(url, QUERY));
      if (typesIn(other.json) !== undefined) return inconclusive("Every query is answered with a schema.");
      const types = typesIn(reply.json);
      const unclear = withoutMeaning(reply);
      if (types === undefined) return unclear ? inconclusive(unclear) : pass();
      return fail(`${types} types were listed.`, { location });
    }),
});

function typesIn(json: unknown): number | undefined {
  const { length } = listMember(graphqlData(json)[0]?.["__schema"], "types", Infinity);
  return length > 0 ? length : undefined;
}
