export { applyAccountsFile, parseAccountsFile, AccountsFileError } from "./accounts-file.ts";
export { createApi } from "./api.ts";
export type { Api } from "./api.ts";
export { DEFAULT_API_SETTINGS } from "./deps.ts";
export type { ApiDeps, ScanLauncher } from "./deps.ts";
export { createUpkeep } from "./background/upkeep.ts";
export { createLogger, describeFault } from "./observability.ts";
export { keepHeapSmall, stopSignal } from "./process.ts";
export { buildOpenApiDocument } from "./routes.ts";
