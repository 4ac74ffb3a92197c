export { API_SETTINGS } from "./api-settings.ts";
export { KUBERNETES_SETTINGS } from "./kubernetes-settings.ts";
export type { KubernetesSettings } from "./kubernetes-settings.ts";
export { orIssue, urlOf, wholeNumber } from "./schemas.ts";
export { SettingsError, readSettings, setting, settingRows } from "./setting.ts";
export type { Setting, SettingRow, SettingsOf } from "./setting.ts";
