import { calculating } from "../../attacks/evaluation.ts";
import { defineInjection } from "../../attacks/injection.ts";
import { lettersOf } from "../../names.ts";
import type { Parameter } from "../../inventory/operation.ts";

export default defineInjection({
  id: "input-validation/sql-statement",
  title: "SQL injection (statement of the caller's)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The value is an SQL statement, which the database executes as it is. Callers read everything in the database, and often change it. The only statement that was sent calculates a product of two numbers.",
  rule: "The answer shows the product of two random numbers that an SQL statement calculates, twice with different numbers, and no product where the multiplication is no statement.",
  control: "The multiplication without the statement.",
  remediation:
    "Let callers name what they want of a fixed list of statements, and pass values as parameters of these.",
  references: {
    cwe: 89,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },
  cost: 2,
  language: "SQL",
  into: (parameter) => parameter.type === "string" && mayBeStatement(parameter),
  prior: ({ sample }) => (isStatement(sample) ? 4 : 0.8),
  notApplicable: "No read takes a text that could be a statement.",
  attempts: [
    calculating(({ a, b }) => `select ${a}*${b}`),
    // A text under the name by which the ordinary statement gives its result.
    calculating(({ a, b }, ordinary) => `select cast(${a}*${b} as char(12)) as ${nameIn(ordinary)}`, {
      where: ({ ordinary }) => isStatement(ordinary),
    }),
    calculating(({ a, b }) => `select ${a}*${b} from dual`, { deep: true }),
  ],
});

const isStatement = (text: string): boolean => /^\s*(select|with|show|values)\b/i.test(text);

const nameIn = (statement: string): string => /\bas ([a-z_]\w{0,40})/i.exec(statement)?.[1] ?? "result";

const mayBeStatement = ({ name, sample }: Parameter): boolean =>
  isStatement(sample) || /^(sql|query|statement|stmt|q|rawquery|expression|command)$/.test(lettersOf(name));
