import { type DatabaseSync, constants } from "node:sqlite";

/** Permits only SELECT without recursion and a few functions from now on, so that injected statements cannot harm the host. */
export function readOnly(database: DatabaseSync): DatabaseSync {
  database.setAuthorizer((action, _subject, name) => {
    const reads = action === constants.SQLITE_SELECT || action === constants.SQLITE_READ;
    const plain = action === constants.SQLITE_FUNCTION && FUNCTIONS.has(String(name).toLowerCase());
    return reads || plain ? constants.SQLITE_OK : constants.SQLITE_DENY;
  });
  return database;
}

const FUNCTIONS = new Set(
  "abs char coalesce count glob hex ifnull length like lower max min substr sqlite_version typeof unicode upper".split(
    " ",
  ),
);
