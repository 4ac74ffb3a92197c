export type { AccountPermission } from "./permissions.ts";
export type { AdminRouter } from "./router.ts";
export type { AdminErrorData } from "./trpc.ts";
