import { defineConfig } from "drizzle-kit";

/** `drizzle-kit generate` in this directory writes what changed in the schema as the next migration. */
export default defineConfig({ dialect: "postgresql", schema: "./src/*/schema.ts", out: "./migrations" });
