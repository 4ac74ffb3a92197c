export { startPostgres } from "./start.ts";
export type { PostgresOptions, RunningPostgres } from "./start.ts";
