import { growthOfSteps } from "@glovebox/domain/testing";
import { describe, expect, it } from "vitest";
import { complaintsIn, languageErrorIn, newComplaint } from "./language-errors.ts";

const softwareIn = (text: string): string | undefined => [...complaintsIn(text, "SQL").values()][0];

it.each([
  ["You have an error in your SQL syntax; check the manual", "MySQL"],
  ['ERROR: unterminated quoted string at or near "\'"', "PostgreSQL"],
  [String.raw`{"error":"syntax error at or near \"x\""}`, "PostgreSQL"],
  [String.raw`{"error":"unrecognized token: \"'\""}`, "SQLite"],
  [`near "'": syntax error`, "SQLite"],
  ["ORA-01756: quoted string not properly terminated", "Oracle"],
  ["Unclosed quotation mark after the character string ''.", "SQL Server"],
  ["Incorrect syntax near 'x'.", "SQL Server"],
  ["org.hibernate.exception.SQLGrammarException: could not extract ResultSet", "a database library"],
  ["java.sql.SQLException: unexpected token: ' in statement [SELECT", "HSQLDB"],
  ["Syntax error in SQL statement; SQL statement: [42000-224]", "H2"],
  ["Syntax error in string in query expression 'id = 1''.", "Microsoft Access"],
  ["Dynamic SQL Error; SQL error code = -104; Token unknown - line 1, column 9", "Firebird"],
  ["Code: 62. DB::Exception: Syntax error: failed at position 40", "ClickHouse"],
  ["001003 (42000): SQL compilation error: syntax error line 1", "Snowflake"],
  ["SAP DBTech JDBC: [257]: sql syntax error", "SAP HANA"],
  ["line 1:34: mismatched input 'x'. Expecting: ','", "Trino"],
  ["Syntax error: Unclosed string literal [at 1:28]", "Spanner or BigQuery"],
  ["line 1:42 no viable alternative at input 'x'", "Cassandra"],
  ["org.hibernate.hql.internal.ast.QuerySyntaxException: unexpected char", "Hibernate"],
  ["[Teradata Database] [3706] Syntax error", "Teradata"],
  ['invalid input syntax for type integer: "1\'"', undefined],
  ["SyntaxError: Unexpected token in JSON", undefined],
  ["Not found", undefined],
])("%s is a complaint of %s", (text, database) => expect(softwareIn(text)).toBe(database));

describe("a complaint", () => {
  it.each([
    ["Error in XPath expression", "XPath"],
    ["xpath.XPathException: Unfinished literal", "XPath"],
    ["javax.naming.NamingException: [LDAP: error code 1", "LDAP"],
    ["unbalanced parens", "LDAP"],
    ["MongoServerError: unknown operator: $foo", "NoSQL"],
    ["jinja2.exceptions.TemplateSyntaxError: unexpected char", "template"],
    ["sh: 1: Syntax error: Unterminated quoted string", "shell"],
    ["No such user", undefined],
    ["The parentheses of the title are missing", undefined],
  ])("%s is one of %s", (text, language) => expect(languageErrorIn(text)).toBe(language));

  it("a complaint is new where another response has one of another kind", () => {
    const unknownTable = "SequelizeDatabaseError ER_NO_SUCH_TABLE";
    const broken = "SequelizeDatabaseError ER_PARSE_ERROR";
    expect(newComplaint("SQL", broken, [unknownTable])).toBe("MySQL");
    expect(newComplaint("SQL", unknownTable, [unknownTable])).toBeUndefined();
  });

  it.each([
    'near "',
    "Encountered x at line 1, column 1 ",
    "unexpected token: ",
    "Parse error on line 1:",
    "sh: ",
  ])("a complaint is looked for in a text of %s again and again in steps that grow with the text", (part) => {
    expect(growthOfSteps((size) => languageErrorIn(part.repeat(size)), 1_000)).toBeLessThan(2.2);
  });
});
