export { CHECKS } from "./checks/index.ts";
export type { Check } from "./engine/check.ts";
export { ROOT_CAUSES } from "./engine/root-causes.ts";
