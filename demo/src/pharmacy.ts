import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { FIRST_ID } from "./operations.ts";
import { readOnly } from "./read-only.ts";
import type { Variant } from "./route.ts";

/**
 * An SQLite database in memory, so that SQL injection is real.
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
  return readOnly(database);
}

const MEDICINES = [
  ["Ibuprofen", "painkiller"],
  ["Paracetamol", "painkiller"],
  ["Salbutamol", "inhaler"],
  ["Beclometasone", "inhaler"],
  ["Cetirizine", "antihistamine"],
] as const;
