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
    "An error is answered with the database's own message. It tells an attacker which database runs and how its tables and queries are made, which is what an injection needs.",
  rule: "An error contains a message that only a database or a library of one writes.",
  remediation:
    "Handle errors of the database in the program, log them with an identifier, and answer with that identifier and a plain message (RFC 9457).",
  references: { cwe: 209, owasp: "API8:2023" },

  observe(reply) {
    const isError = reply.status >= 400 || saysError(reply.json) || hasErrorCode(reply.body);
    const database = isError && !describesApi(reply) ? databaseErrorIn(reply.body) : undefined;
    return database ? { observed: `Status ${reply.status} came with a message of ${database}.` } : undefined;
  },
});

/** Drivers that give their error as an object have these beside each other. */
const hasErrorCode = (body: string): boolean =>
  /"(sqlMessage|sqlState|errno|routine)"\s*:/.test(body.slice(0, 65_536));
