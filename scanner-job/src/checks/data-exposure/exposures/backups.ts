import { exposures } from "../../../attacks/exposure.ts";
import { either, json, magic, text } from "../../../signatures/content.ts";
import { sensitiveFields } from "../../../signatures/sensitive-fields.ts";

const SQL =
  /^[ \t]*(CREATE TABLE|INSERT INTO|COPY \S+ \(|-- (MySQL|MariaDB|PostgreSQL)\b|PRAGMA foreign_keys)/m;

export const backupExposures = exposures(
  {
    group: "Backups and databases",
    cwe: 530,
    description:
      "A backup of the application or its data can be downloaded. An attacker can obtain source code, credentials or user data.",
    remediation:
      "Remove the file, store backups outside the web root, and treat their contents, including credentials, as compromised.",
  },
  [
    {
      name: "sql-dump",
      title: "Database dump exposed (SQL)",
      severity: "critical",
      paths: [
        "/backup.sql",
        "/dump.sql",
        "/database.sql",
        "/db.sql",
        "/data.sql",
        "/db_backup.sql",
        "/users.sql",
        "/mysql.sql",
      ],
      content: text("SQL statements that create or fill tables", SQL),
    },
    {
      name: "sql-archive",
      title: "Compressed database dump exposed",
      severity: "high",
      large: true,
      paths: [
        "/backup.sql.gz",
        "/dump.sql.gz",
        "/db.sql.gz",
        "/database.sql.gz",
        "/backup.dump",
        "/dump.sql.zip",
      ],
      content: magic("gzip", "zip", "bzip2", "PostgreSQL dump"),
    },
    {
      name: "archive",
      title: "Backup archive exposed",
      severity: "high",
      large: true,
      paths: [
        "/backup.zip",
        "/backup.tar.gz",
        "/www.zip",
        "/site.zip",
        "/app.zip",
        "/src.zip",
        "/backup.tar",
        "/api.zip",
        "/source.zip",
        "/release.zip",
        "/backup.7z",
        "/backup.rar",
      ],
      content: magic("zip", "gzip", "bzip2", "xz", "7z", "rar", "zstd", "tar"),
    },
    {
      name: "sqlite",
      title: "SQLite database exposed",
      severity: "critical",
      large: true,
      paths: [
        "/database.sqlite",
        "/db.sqlite3",
        "/db.sqlite",
        "/data.db",
        "/app.db",
        "/database.db",
        "/dev.db",
        "/database/database.sqlite",
      ],
      content: magic("SQLite database"),
    },
    {
      name: "json-database",
      title: "Data file with credentials exposed (db.json)",
      severity: "high",
      paths: ["/db.json", "/users.json", "/data.json", "/database.json", "/accounts.json"],
      content: json("JSON with records that contain a secret", (value) => sensitiveFields(value).length > 0),
    },
    {
      name: "redis-dump",
      title: "Redis dump exposed",
      severity: "high",
      large: true,
      paths: ["/dump.rdb"],
      content: magic("Redis dump"),
    },
    {
      name: "memory-dump",
      title: "Memory dump exposed",
      severity: "high",
      large: true,
      paths: ["/heapdump.hprof", "/java_pid1.hprof", "/dump.hprof", "/core.dmp"],
      content: magic("Java heap dump", "Windows memory dump"),
    },
    {
      name: "editor-backup",
      title: "Source code exposed by an editor's backup",
      severity: "high",
      paths: [
        "/index.php.bak",
        "/index.php~",
        "/.index.php.swp",
        "/index.php.save",
        "/app.py.bak",
        "/server.js.bak",
        "/app.js.bak",
      ],
      content: either(
        text("PHP source code", /^\s*<\?php/, /[$;]/),
        text(
          "server source code",
          /require\(["'](express|http|fastify|koa)|^from (flask|fastapi|django)[\w.]* import/m,
        ),
        magic("vim swap"),
      ),
    },
    {
      name: "wordpress-settings",
      title: "WordPress settings exposed",
      severity: "critical",
      product: "wordpress",
      paths: [
        "/wp-config.php.bak",
        "/wp-config.php~",
        "/wp-config.php.old",
        "/wp-config.txt",
        "/wp-config.php.save",
        "/.wp-config.php.swp",
      ],
      content: text("WordPress settings with the database password", /DB_PASSWORD/),
    },
  ],
);
