import { freshDatabase } from "@glovebox/store/testing";
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string;
  }
}

export type TestDatabase = Awaited<ReturnType<typeof freshDatabase>>;

/** An empty, migrated database on the PostgreSQL server of this test run. */
export const testDatabase = (): Promise<TestDatabase> => freshDatabase(inject("databaseUrl"));
