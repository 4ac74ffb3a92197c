/**
 * A database's complaint about the syntax of a statement, with the database's name; undefined when the text has none.
 * Complaints about values ("invalid input syntax for type integer") do not count: bound parameters cause them too.
 */
export function syntaxError(text: string): string | undefined {
  const start = text.slice(0, 65_536);
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
}

const SIGNATURES: readonly (readonly [database: string, pattern: RegExp])[] = [
  [
    "MySQL",
    /you have an error in your sql syntax|check the manual that corresponds to your (mysql|mariadb)|ER_PARSE_ERROR/i,
  ],
  [
    "PostgreSQL",
    /unterminated quoted string at or near|syntax error at or near \\?"|pg_query\(\).{0,80}error|PG::SyntaxError|psycopg2?\.errors\.SyntaxError|SQLSTATE\[42601\]/i,
  ],
  [
    "SQLite",
    /unrecognized token: \\?"|near \\?".{1,40}\\?": syntax error|SQLITE_ERROR|sqlite3\.OperationalError|incomplete input/i,
  ],
  ["Oracle", /\bORA-(00933|01756|00936|00907|00921|00911|01742)\b|quoted string not properly terminated/i],
  [
    "SQL Server",
    /unclosed quotation mark (after|before) the character string|incorrect syntax near (the keyword )?\\?['"]|microsoft (ole db|odbc).{0,60}sql server/i,
  ],
  ["DB2", /\bSQLCODE[=: ]*-(10|104)\b|DB2 SQL error/i],
  [
    "a database library",
    /SequelizeDatabaseError|QueryFailedError|SQLGrammarException|java\.sql\.SQLSyntaxErrorException|ActiveRecord::StatementInvalid|sqlalchemy\.exc\.(ProgrammingError|OperationalError)|PDOException.{0,40}SQLSTATE\[42|BadSqlGrammarException|Doctrine\\+DBAL\\+Exception\\+SyntaxErrorException/i,
  ],
];
