import { testExposures } from "../../../testing/test-exposures.ts";
import { backupExposures } from "./backups.ts";

const rest = "a".repeat(200);

testExposures(backupExposures, {
  "sql-dump": ["CREATE TABLE users (id int);\n", "How to CREATE a TABLE in SQL\n"],
  "sql-archive": [`\u001f\u008b\u0008${rest}`, rest],
  archive: [`PK\u0003\u0004${rest}`, "PK\u0005\u0006"],
  sqlite: [`SQLite format 3\0${rest}`, `SQLite ${rest}`],
  "json-database": [
    [{ id: 1, email: "i@example.org", password: "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad" }],
    [{ id: 1, title: "A" }],
  ],
  "redis-dump": [`REDIS0011${rest}`, `REDIS ${rest}`],
  "memory-dump": [`JAVA PROFILE 1.0.2\0${rest}`, `JAVA ${rest}`],
  "editor-backup": ["<?php $a = 1;", "A copy of index.php"],
  "wordpress-settings": ["<?php define('DB_PASSWORD', 'x');", "<?php define('DB_NAME', 'x');"],
});
