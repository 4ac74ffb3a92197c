export { applyAccountsFile, parseAccountsFile, AccountsFileError } from "./accounts-file.ts";
export { createApi } from "./api.ts";
export type { Api } from "./api.ts";
export { DEFAULT_SETTINGS } from "./deps.ts";
export type { ApiDeps, ApiSettings, LaunchedScan, ScanLauncher } from "./deps.ts";
export { createLogger } from "./system/logger.ts";
export { stopSignal } from "./system/stop-signals.ts";
export { describeFault } from "./system/request-log.ts";
export { buildOpenApiDocument, errorTable } from "./openapi.ts";
