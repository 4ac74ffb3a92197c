import { expect, it } from "vitest";
import { syntaxError } from "./database-error.ts";

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
  ['invalid input syntax for type integer: "1\'"', undefined],
  ["SyntaxError: Unexpected token in JSON", undefined],
  ["Not found", undefined],
])("%s is a complaint of %s", (text, database) => expect(syntaxError(text)).toBe(database));
