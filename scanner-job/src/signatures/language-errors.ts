/** Languages whose statements are made of values, and that complain when a value breaks the statement. */
export type Language = "SQL" | "NoSQL" | "LDAP" | "XPath" | "template" | "shell";

/** A name of software, and a text that only this software writes about a statement that it cannot read. */
type Complaint = readonly [name: string, text: RegExp];

/** Characters of a response that are searched. */
const SEARCHED = 65_536;

/**
 * The complaints of a language's software about the syntax of a statement, by the position in the table and with the name of
 * the software. Complaints about values ("invalid input syntax for type integer") do not count: bound parameters also
 * cause them.
 * @internal
 */
export function complaintsIn(text: string, language: Language): ReadonlyMap<number, string> {
  const searched = text.slice(0, SEARCHED);
  return new Map(
    COMPLAINTS[language].flatMap(([name, pattern], row) =>
      pattern.test(searched) ? [[row, name] as const] : [],
    ),
  );
}

/** The name of the software whose complaint is in one text and in none of the others; undefined where there is none. */
export function newComplaint(
  language: Language,
  text: string,
  others: readonly string[],
): string | undefined {
  const known = new Set(others.flatMap((other) => [...complaintsIn(other, language).keys()]));
  return [...complaintsIn(text, language)].find(([row]) => !known.has(row))?.[1];
}

/** The language of which a text has a complaint. */
export const languageErrorIn = (text: string): Language | undefined =>
  LANGUAGES.find((language) => complaintsIn(text, language).size > 0);

const SQL: readonly Complaint[] = [
  [
    "MySQL",
    /you have an error in your sql syntax|check the manual that (corresponds to|fits) your (mysql|mariadb|drizzle)|\bER_PARSE_ERROR\b/i,
  ],
  [
    "PostgreSQL",
    /unterminated quoted string at or near|syntax error at or near \\?"|syntax error at end of input|pg_query\(\).{0,80}error|PG::SyntaxError|psycopg2?\.errors\.SyntaxError|PostgresSyntaxError|SQLSTATE\[42601\]/i,
  ],
  [
    "SQLite",
    /unrecognized token: \\?"|near \\?".{1,40}\\?": syntax error|SQLITE_ERROR|sqlite3\.OperationalError|incomplete input/i,
  ],
  [
    "Oracle",
    /\bORA-(00933|01756|00936|00907|00921|00911|01742|00920|03048|12702)\b|quoted string not properly terminated/i,
  ],
  [
    "SQL Server",
    /unclosed quotation mark (after|before) the character string|incorrect syntax near (the keyword )?\\?['"]|microsoft (ole db|odbc).{0,60}sql server|ODBC Driver \d{1,2} for SQL Server/i,
  ],
  ["DB2", /\bSQLCODE[=: ]{0,3}-(10|010|104)\b|\bSQL(0104|0010)N\b|DB2 SQL error/i],
  ["H2", /syntax error in sql statement|\[4200[01]-\d{1,3}\]|org\.h2\.jdbc\.JdbcSQLSyntaxError/i],
  ["HSQLDB", /unexpected (token|end of statement).{0,60} in statement \[|org\.hsqldb\.HsqlException/i],
  ["Apache Derby", /\b42X01\b|\bEncountered \\?".{0,60} at line \d{1,6}, column \d{1,6}\b.{0,40}SQL/i],
  [
    "Microsoft Access",
    /syntax error (\(missing operator\) )?in (string in )?query expression|(JET|Access) Database Engine/i,
  ],
  ["Sybase", /Sybase message|SybSQLException|com\.sybase\.jdbc/i],
  ["Informix", /com\.informix\.jdbc|Informix ODBC Driver|\bSQLCODE[=: ]{0,3}-201\b/i],
  ["Firebird", /Dynamic SQL Error|Token unknown - line \d/i],
  ["Ingres", /Ingres SQLSTATE|Ingres\W{0,10}Driver/i],
  ["SAP MaxDB", /com\.sap\.dbtech|SQL error.{0,40}POS\(\d{1,6}\)/i],
  ["SAP HANA", /SAP DBTech JDBC: \[|sql syntax error: incorrect syntax near|com\.sap\.db\.jdbc/i],
  ["ClickHouse", /DB::Exception: Syntax error|Code: 62\. DB::Exception/i],
  ["Snowflake", /SQL compilation error/i],
  ["Trino", /line \d{1,6}:\d{1,6}: (mismatched input|extraneous input|no viable alternative)/i],
  ["Spanner or BigQuery", /syntax error: (unclosed|unexpected|expected) .{0,80}\[at \d{1,6}:\d{1,6}\]/i],
  [
    "Cassandra",
    /no viable alternative at (input|character)|SyntaxException: line \d|mismatched character '<EOF>'/i,
  ],
  ["CrateDB", /SQLParseException.{0,40}line \d|io\.crate\.exceptions/i],
  ["MonetDB", /syntax error, unexpected .{1,60} in: \\?"/i],
  ["Vertica", /com\.vertica\.jdbc|Vertica.{0,60}syntax error/i],
  ["Mimer SQL", /MimerSQL|com\.mimer\.jdbc/i],
  ["InterSystems IRIS", /\[?SQLCODE: ?<-\d{1,4}>/i],
  ["FrontBase", /FrontBase.{0,60}(syntax|semantic) error/i],
  ["Virtuoso", /\bSQ074: Line \d|virtuoso\.jdbc/i],
  ["Altibase", /Altibase\.jdbc\.driver|\bERR-31001\b/i],
  ["Teradata", /\[Teradata Database\]|com\.teradata\.jdbc/i],
  ["Raima", /com\.raima\.rdm/i],
  ["Couchbase", /syntax error - (line \d|at |input)/i],
  ["Spark or Hive", /\bPARSE_SYNTAX_ERROR\b|ParseException.{0,20} line \d{1,6}:\d{1,6} /i],
  [
    "Hibernate",
    /unexpected (token|char): .{1,60}near line \d|QuerySyntaxException|QueryTranslatorException/i,
  ],
  [
    "a database library",
    /SequelizeDatabaseError|QueryFailedError|SQLGrammarException|java\.sql\.SQLSyntaxErrorException|ActiveRecord::StatementInvalid|sqlalchemy\.exc\.(ProgrammingError|OperationalError)|PDOException.{0,40}SQLSTATE\[42|BadSqlGrammarException|Doctrine\\+DBAL\\+Exception\\+SyntaxErrorException|Raw query failed\. Code/i,
  ],
];

const NOSQL: readonly Complaint[] = [
  [
    "MongoDB",
    /unknown (top level )?operator:? \\?['"]?\$|\$(where|regex|in|nin|not|mod|expr)\b.{0,40}(needs|must|has to|requires)/i,
  ],
  ["MongoDB", /\bMongo(Server|ose|)Error\b/],
  [
    "JavaScript in MongoDB",
    /SyntaxError: (unterminated string|missing .{1,20} (in|before)|unexpected (token|string|EOF)).{0,80}(\$where|_funcs)/i,
  ],
  ["CouchDB", /"error":\s*"(query_parse_error|invalid_operator)"/i],
  [
    "Elasticsearch",
    /\b(parsing_exception|query_shard_exception|token_mgr_error|search_phase_execution_exception)\b/i,
  ],
];

const XPATH: readonly Complaint[] = [
  [
    "an XPath processor",
    /XPath(Syntax|Eval)?(Exception|Error)|xpath (syntax|parse) error|error in xpath expression|xmlXPathEval|SimpleXMLElement::xpath|System\.Xml\.XPath|javax\.xml\.xpath|(Expected|Unexpected) token '?.{1,20}'? (in|at) .{0,20}xpath|expression must evaluate to a node-set/i,
  ],
  [
    "an XPath processor",
    /xpath.{0,60}(unterminated|unexpected|invalid|expected)|Expected token '\]'|a closing bracket expected|lxml\.etree.{0,80}Invalid (predicate|expression)|Unfinished literal/i,
  ],
];

const LDAP: readonly Complaint[] = [
  [
    "an LDAP directory",
    /javax\.naming\.(NamingException|directory\.InvalidSearchFilter)|InvalidSearchFilter|bad search filter|LDAP(InvalidFilter)?(Exception|Error)\b|\bLdapErr: |com\.sun\.jndi\.ldap|ldap_search\(\)|invalid (ldap )?(search )?filter|(unbalanced|unmatched|missing) paren/i,
  ],
];

const TEMPLATE: readonly Complaint[] = [
  [
    "a template engine",
    /jinja2\.exceptions|TemplateSyntaxError|Twig\\+Error|freemarker\.core|org\.thymeleaf|org\.apache\.velocity|Template render error|liquid (syntax )?error|Syntax error in template|mako\.exceptions|Spel(Evaluation|Parse)Exception|\bejs:\d{1,6}\b|Parse error on line \d{1,6}:.{0,200}Expecting|smarty.{0,20}(compiler|syntax) error/i,
  ],
];

const SHELL: readonly Complaint[] = [
  [
    "a shell",
    /\bsh: .{0,60}: (not found|command not found|syntax error)|syntax error: unterminated quoted string|unexpected EOF while looking for matching|is not recognized as an internal or external command|CommandNotFoundException/i,
  ],
];

const COMPLAINTS: Readonly<Record<Language, readonly Complaint[]>> = {
  SQL,
  NoSQL: NOSQL,
  LDAP,
  XPath: XPATH,
  template: TEMPLATE,
  shell: SHELL,
};
const LANGUAGES = Object.keys(COMPLAINTS) as Language[];
