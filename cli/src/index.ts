export { settingsPage } from "./settings-page.ts";
export { settingsTable } from "./settings.ts";
