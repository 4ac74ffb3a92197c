export { migrate } from "./migrate.ts";
export type { MigrateOptions } from "./migrate.ts";
export { openStore } from "./open-store.ts";
export type { StoreOptions } from "./open-store.ts";
export { KeyRefused } from "./key-refused.ts";
export { ProgressWriter } from "./progress-writer.ts";
export type * from "./store.ts";
export { SchemaMissing, StoreUnavailable, StoreUnusable, codeOf } from "./unavailable.ts";
