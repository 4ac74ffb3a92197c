import { defineObservation } from "../../engine/check.ts";
import { saysError } from "../../oracles/classify.ts";
import { describesApi } from "../../signatures/api-description.ts";
import { databaseErrorIn } from "../../signatures/error-details.ts";

export default defineObservation({
  id: "data-exposure/database-error",
  category: "dataExposure",
  title: "Database error message disclosure",
  severity: "low",
  confidence: "firm",
  description:
    "An error response contains a database error message. An attacker learns the database product and the structure of tables and queries, which helps with SQL injection.",
  rule: "An error contains a message that only a database or a database library writes.",
  remediation:
    "Handle database errors in the application, log them with an identifier, and return that identifier with a generic message (RFC 9457).",
  references: { cwe: 209, owasp: "API8:2023" },

  observe(response) {
    const isError = response.status >= 400 || saysError(response.json) || hasErrorCode(response.body);
    const database = isError && !describesApi(response) ? databaseErrorIn(response.body) : undefined;
    return database
      ? { observed: `Status ${response.status} was returned with an error message of ${database}.` }
      : undefined;
  },
});

/** Drivers that give their error as an object have these beside each other. */
const hasErrorCode = (body: string): boolean =>
  /"(sqlMessage|sqlState|errno|routine)"\s*:/.test(body.slice(0, 65_536));
