import { defineCheck } from "../../engine/check.ts";
import { examineLeftover, leftoverSubjects, type Leftover } from "../../attacks/leftover.ts";
import { sensitiveFields } from "../../signatures/sensitive-fields.ts";

export default defineCheck({
  id: "data-exposure/exposed-files",
  category: "dataExposure",
  title: "Sensitive file exposed",
  severity: "high",
  confidence: "confirmed",
  description:
    "The server gives out a file that belongs to its operators. Such files hold source code, credentials or data.",
  rule: "The answer has the content of such a file and is no page, and a random path is answered differently.",
  control: "A random path of the same shape.",
  remediation:
    "Remove the file from what is served, serve only a directory of published files, and replace every credential that it held.",
  references: {
    cwe: 538,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => leftoverSubjects(profile, FILES),
  notApplicable: "This check applies to every target.",
  examine: examineLeftover,
});

const containing =
  (form: RegExp): Leftover["holds"] =>
  ({ body }) =>
    form.test(body.slice(0, 65_536));
const file = (path: string, what: string, holds: RegExp | Leftover["holds"]): Leftover => ({
  path,
  what,
  severity: "high",
  holds: typeof holds === "function" ? holds : containing(holds),
});
const listing = (path: string): Leftover => ({
  ...file(path, "the list of a directory's files", /<title>\s*(Index of|Directory listing for) \//i),
  severity: "medium",
  isPage: true,
});

const SQL = /^[ \t]*(CREATE TABLE|INSERT INTO|COPY \S+ \(|-- (MySQL|MariaDB|PostgreSQL)\b)/m;

/** At most 25 requests, those below a base path included. */
const FILES: readonly Leftover[] = [
  {
    ...file(
      "/.git/HEAD",
      "the pointer of a Git directory, from which all source can be read",
      /^(ref: refs\/\S+|[\da-f]{40})\s*$/,
    ),
    below: "base",
  },
  { ...file("/.env", "an environment file", /^(export )?[A-Z][A-Z\d_]{2,60}=\S/m), below: "base" },
  file("/.git/config", "the configuration of a Git directory", /^[ \t]*\[core\]/m),
  file("/.env.production", "an environment file", /^(export )?[A-Z][A-Z\d_]{2,60}=\S/m),
  {
    ...file("/.DS_Store", "a list of a directory's files, as macOS leaves it", /^\0{3}\u0001Bud1/),
    severity: "low",
  },
  {
    ...file("/.svn/wc.db", "the database of a Subversion directory", /^SQLite format 3\0/),
    severity: "medium",
  },
  file("/.htpasswd", "a file of password hashes", /^[\w.@-]{1,60}:(\$(apr1|2[aby]|5|6)\$|\{SHA\})\S{10}/m),
  { ...file("/id_rsa", "a private key", /^-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/), severity: "critical" },
  {
    ...file("/.aws/credentials", "a file of cloud keys", /^[ \t]*aws_secret_access_key\s*=\s*\S/m),
    severity: "critical",
  },
  file("/.npmrc", "a file with a registry's token", /_(authToken|password)\s*=\s*\S/),
  file("/backup.sql", "a dump of a database", SQL),
  file("/dump.sql", "a dump of a database", SQL),
  file("/wp-config.php.bak", "a configuration with the database's password", /DB_PASSWORD/),
  file(
    "/appsettings.json",
    "a configuration with a database's address",
    ({ json, body }) => json !== undefined && /"ConnectionStrings?"/.test(body.slice(0, 65_536)),
  ),
  file("/config.json", "a configuration with credentials", ({ json }) => sensitiveFields(json).length > 0),
  {
    ...file(
      "/docker-compose.yml",
      "the description of the server's containers",
      ({ body }) =>
        /^services:/m.test(body.slice(0, 65_536)) && /^[ \t]+(image|build):/m.test(body.slice(0, 65_536)),
    ),
    severity: "medium",
  },
  {
    ...file(
      "/server-status",
      "the status page of the web server",
      /<title>\s*Apache Status|Apache Server Status for/i,
    ),
    severity: "medium",
    isPage: true,
  },
  {
    ...file("/phpinfo.php", "the configuration of PHP", /<title>[^<]{0,80}phpinfo\(\)<\/title>/i),
    severity: "medium",
    isPage: true,
  },
  listing("/backup/"),
  listing("/logs/"),
  listing("/uploads/"),
];
