export { CHECKS } from "./checks/index.ts";
export type { Check } from "./engine/check.ts";
