import { randomUUID } from "node:crypto";
import { DatabaseSync, constants } from "node:sqlite";
import { FIRST_ID } from "./document.ts";
import type { Variant } from "./route.ts";

/**
 * An SQLite database in memory, so that SQL injection is real. After it is filled, only SELECT without recursion and a few functions
 * are permitted, so that injected statements cannot harm the host.
 */
export function createPharmacy(variant: Variant): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const idType = variant === "vulnerable" ? "INTEGER" : "TEXT";
  database.exec(`CREATE TABLE medicines (id ${idType} PRIMARY KEY, name TEXT, category TEXT, price REAL)`);
  database.exec("CREATE TABLE staff (email TEXT, password_hash TEXT)");
  database.exec("INSERT INTO staff VALUES ('root@larkfield.test', '5f4dcc3b5aa765d61d8327deb882cf99')");
  const insert = database.prepare("INSERT INTO medicines VALUES (?, ?, ?, ?)");
  for (const [index, [name, category]] of MEDICINES.entries()) {
    insert.run(variant === "vulnerable" ? FIRST_ID + index : randomUUID(), name, category, 3.5 + index);
  }
  database.setAuthorizer((action, _subject, name) => {
    const reads = action === constants.SQLITE_SELECT || action === constants.SQLITE_READ;
    const plain = action === constants.SQLITE_FUNCTION && FUNCTIONS.has(String(name).toLowerCase());
    return reads || plain ? constants.SQLITE_OK : constants.SQLITE_DENY;
  });
  return database;
}

const MEDICINES = [
  ["Ibuprofen", "painkiller"],
  ["Paracetamol", "painkiller"],
  ["Salbutamol", "inhaler"],
  ["Beclometasone", "inhaler"],
  ["Cetirizine", "antihistamine"],
] as const;

const FUNCTIONS = new Set(
  "abs char coalesce count glob hex ifnull length like lower max min substr sqlite_version typeof unicode upper".split(
    " ",
  ),
);
