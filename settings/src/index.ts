export {
  anyText,
  contentOf,
  ipAddress,
  listOf,
  matching,
  namespaceName,
  objectName,
  oneOf,
  optional,
  postgresUrl,
  redisUrl,
  wholeNumber,
} from "./parsers.ts";
export { SettingsError, readSettings, setting } from "./setting.ts";
export type { Setting, SettingsOf, SettingsTable } from "./setting.ts";
export { jsonValues, textValues } from "./text-values.ts";
export { SHARED_SETTINGS } from "./shared-settings.ts";
