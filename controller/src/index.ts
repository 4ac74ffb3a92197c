export { CANARY_SETTINGS } from "./canary/settings.ts";
export { CONTROLLER_SETTINGS } from "./settings.ts";
