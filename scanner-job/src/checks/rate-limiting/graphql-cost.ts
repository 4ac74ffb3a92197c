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
    "The server executes many operations in a single HTTP request. An attacker can bypass rate limits that count requests, and try hundreds of passwords or codes per request.",
  rule: `${BATCH} queries in one batch, or ${ALIASES} aliases of one field, are all executed.`,
  control: "A query for a nonexistent field is rejected.",
  remediation:
    "Disable batching, limit aliases and depth, and count the cost of each query towards the rate limit.",
  references: { cwe: 770, owasp: "API4:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  examine: (_, probe) =>
    examineGraphql(probe, async ({ url, location, unknownField }) => {
      const control = await unknownField();
      if (graphqlData(control.json).length > 0)
        return inconclusive("A nonexistent field got the response of an existing one.");

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
