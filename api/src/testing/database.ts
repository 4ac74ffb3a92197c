import { freshDatabase, type TestDatabase } from "@glovebox/store/testing";
import { inject } from "vitest";

export type { TestDatabase };

/** An empty, migrated database on the PostgreSQL server of this test run. */
export const testDatabase = (): Promise<TestDatabase> => freshDatabase(inject("databaseUrl"));
