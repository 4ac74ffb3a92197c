export { SETTINGS as SERVE_SETTINGS } from "./settings.ts";
