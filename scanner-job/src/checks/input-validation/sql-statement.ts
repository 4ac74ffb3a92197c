import { calculating } from "../../attacks/evaluation.ts";
import { defineInjection } from "../../attacks/injection.ts";
import { lettersOf } from "../../names.ts";
import type { Parameter } from "../../inventory/operation.ts";

export default defineInjection({
  id: "input-validation/sql-statement",
  title: "SQL injection (statement in a parameter)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server executes an SQL statement from the request. An attacker can read, and often modify, the whole database. The only statement that was sent calculates the product of two numbers.",
  rule: "The response contains the product of two random numbers that an SQL statement calculates, twice with different numbers, and no product for the bare multiplication.",
  control: "The multiplication without the statement.",
  remediation: "Let callers choose from a fixed list of queries, and pass values as bound parameters.",
  references: {
    cwe: 89,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },
  cost: 2,
  language: "SQL",
  into: (parameter) => parameter.type === "string" && mayBeStatement(parameter),
  prior: ({ sample }) => (isStatement(sample) ? 4 : 0.8),
  notApplicable: "No read takes a string that could be a statement.",
  attempts: [
    calculating(({ a, b }) => `select ${a}*${b}`),
    // A text under the name by which the baseline statement gives its result.
    calculating(({ a, b }, baseValue) => `select cast(${a}*${b} as char(12)) as ${nameIn(baseValue)}`, {
      where: ({ baseValue }) => isStatement(baseValue),
    }),
    calculating(({ a, b }) => `select ${a}*${b} from dual`, { deep: true }),
  ],
});

const isStatement = (text: string): boolean => /^\s*(select|with|show|values)\b/i.test(text);

const nameIn = (statement: string): string => /\bas ([a-z_]\w{0,40})/i.exec(statement)?.[1] ?? "result";

const mayBeStatement = ({ name, sample }: Parameter): boolean =>
  isStatement(sample) || /^(sql|query|statement|stmt|q|rawquery|expression|command)$/.test(lettersOf(name));
