import { textIn } from "../oracles/page-elements.ts";
import { isPageScript } from "./page-scripts.ts";

/** Names of databases and their libraries, each with a text that only their error messages have. */
const DATABASE_ERRORS: readonly (readonly [name: string, text: RegExp])[] = [
  [
    "MySQL",
    /\bER_[A-Z_]{4,40}\b|You have an error in your SQL syntax|Unknown column '[^'\n]{1,80}' in |Table '[^'\n]{1,80}' doesn't exist|\bsqlMessage"\s*:/,
  ],
  [
    "PostgreSQL",
    /(relation|column) \\?"[^"\\\n]{1,80}\\?" (of relation [^\n]{1,80})?does not exist|invalid input syntax for (type )?\w{2,20}: \\?"|duplicate key value violates unique constraint|syntax error at or near \\?"|\bPG::\w+|pg_query\(\)/,
  ],
  [
    "SQLite",
    /SQLITE_[A-Z]{4,20}\b|sqlite3\.\w*Error|near \\?"[^"\\\n]{1,40}\\?": syntax error|no such (table|column): \w/,
  ],
  ["Oracle", /\bORA-\d{5}: /],
  [
    "SQL Server",
    /Unclosed quotation mark|Incorrect syntax near '|System\.Data\.SqlClient\.|Microsoft\.Data\.SqlClient\.|Conversion failed when converting /,
  ],
  [
    "MongoDB",
    /Cast to (ObjectId|Number|string) failed for value|E11000 duplicate key error|Mongo(Server|Network|Parse)?Error\b|BSONError|CastError/,
  ],
  [
    "a database library",
    /Sequelize(Database|Connection|Validation|UniqueConstraint)\w*Error|QueryFailedError|PrismaClient\w*Error|ActiveRecord::\w+|sqlalchemy\.exc\.\w+|psycopg2?\.\w+|PDOException|SQLSTATE\[\w{5}\]|Doctrine\\{1,2}DBAL|org\.hibernate\.\w|java\.sql\.SQL\w*Exception|System\.Data\.Entity/,
  ],
];

/** The database, or library of one, whose own error message is in a text; undefined where there is none. */
export const databaseErrorIn = (text: string): string | undefined =>
  DATABASE_ERRORS.find(([, form]) => form.test(text.slice(0, 65_536)))?.[0];

/**
 * Paths of the program's files on the server's disk; at most 3. Of a page only its text counts: its attributes and scripts
 * name addresses. Only those that cannot be paths of addresses: they begin with a
 * folder that no site has, or end in code that only servers run.
 */
export function serverPathsIn(text: string, { isPage }: { isPage: boolean }): string[] {
  const found = pathsIn(text);
  return isPage && found.length > 0 ? pathsIn(textIn(text)) : found;
}

function pathsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [path] of text.slice(0, 65_536).matchAll(SERVER_PATH))
    if (found.size < 3 && !isPageScript(path)) found.add(path);
  return [...found];
}

const SERVER_PATH =
  /(?<![\w.:/@-])(?:(?:file:\/\/)?\/(?:var\/(?:www|task|lib|app)|usr\/(?:src|local|lib|share)|srv\/(?:www|app|http)|root|opt\/[\w.-]{1,40}|home\/[\w.-]{1,40}|Users\/[\w.-]{1,40}|app)\/(?:[\w.@+-]{1,80}\/){0,12}[\w.@+-]{1,80}\.(?:py|php|rb|java|kt|cs|go|ts|phtml|erb|jsp)\b|\/(?:var\/(?:www|task)|usr\/(?:src|local|lib)|root)\/(?:[\w.@+-]{1,80}\/){0,12}[\w.@+-]{1,80}\.(?:m?js|cjs|json|ya?ml|conf|jar)\b|\/(?:[\w.@+-]{1,80}\/){1,8}(?:(?:node_modules|site-packages|dist-packages)\/(?:[\w.@+-]{1,80}\/){0,10}[\w.@+-]{1,80}\.(?:m?js|cjs|py|php|rb)|vendor\/(?:[\w.@+-]{1,80}\/){0,10}[\w.@+-]{1,80}\.(?:php|rb|go))\b|[A-Z]:\\{1,2}(?:[\w .@+-]{1,80}\\{1,2}){1,12}[\w.@+-]{1,80}\.(?:cs|vb|cshtml|aspx|php|py|js|ts|java|dll|config)\b)/g;
