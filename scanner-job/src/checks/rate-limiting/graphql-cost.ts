import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { examineGraphql } from "../../attacks/graphql.ts";
import { graphqlData, graphqlRequest } from "../../inventory/graphql/request.ts";
import { isDenied, withoutMeaning } from "../../oracles/classify.ts";
import { theHost } from "../../attacks/subjects.ts";

const ALIASES = 10;
const BATCH = 5;

export default defineCheck({
  id: "rate-limiting/graphql-cost",
  kind: "differential",
  category: "rateLimiting",
  title: "GraphQL batching or alias abuse",
  severity: "low",
  confidence: "firm",
  description:
    "A single HTTP request is executed as many operations. Limits that count requests do not hold: passwords and codes can be tried by the hundred in one request.",
  rule: `${BATCH} queries in one batch, or ${ALIASES} aliases of one field, are all executed.`,
  control: "A query for a field that cannot exist is refused.",
  remediation:
    "Switch batching off, limit aliases and depth, and give each query a cost that counts against the rate limit.",
  references: { cwe: 770, owasp: "API4:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  examine: (_, probe) =>
    examineGraphql(probe, async ({ url, location, unknownField }) => {
      const control = await unknownField();
      if (graphqlData(control.json).length > 0)
        return inconclusive("A field that cannot exist was answered like one that does.");

      const batch = await probe.attack(graphqlRequest(url, Array<string>(BATCH).fill("{__typename}")));
      const unclear = withoutMeaning(batch);
      if (unclear && batch.status < 500) return inconclusive(unclear);
      if (graphqlData(batch.json).length === BATCH)
        return fail(`All ${BATCH} queries of a batch were executed.`, { location });

      const aliases = Array.from({ length: ALIASES }, (_, index) => `a${index}:__typename`);
      const many = await probe.attack(graphqlRequest(url, `{${aliases.join(" ")}}`));
      if (isDenied(many)) return inconclusive("The endpoint requires credentials.");
      const executed = Object.keys(graphqlData(many.json)[0] ?? {}).length;
      // Nearly every server does as much; it is worth knowing, and no weakness by itself.
      return executed === ALIASES
        ? fail(`All ${ALIASES} aliases of one field were executed; batches were not.`, {
            location,
            severity: "info",
          })
        : pass();
    }),
});
