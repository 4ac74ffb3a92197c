import { DatabaseSync } from "node:sqlite";
import { readOnly } from "../read-only.ts";

export const FIRST_PRODUCT = 301;

/** The products, in an SQLite database in memory: SQL injection is real. */
export function createCatalogue(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, category TEXT, price REAL, purchase_price REAL, supplier TEXT)",
  );
  database.exec("CREATE TABLE gift_cards (code TEXT, amount REAL)");
  database.exec("INSERT INTO gift_cards VALUES ('GC-7Q2M-9XKD', 80)");
  const insert = database.prepare("INSERT INTO products VALUES (?, ?, ?, ?, ?, ?)");
  for (const [index, [name, category, price]] of PRODUCTS.entries())
    insert.run(FIRST_PRODUCT + index, name, category, price, price * 0.6, `Importer ${index + 1}`);
  return readOnly(database);
}

const PRODUCTS = [
  ["Desk lamp", "lighting", 39],
  ["Floor lamp", "lighting", 85],
  ["Filing cabinet", "storage", 140],
  ["Shelf", "storage", 60],
  ["Office chair", "seating", 210],
] as const;
