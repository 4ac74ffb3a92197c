export * from "./conditions.ts";
export { buildScanCrd, buildScheduleCrd } from "./crd.ts";
export { EXAMPLE_FILES, toYaml } from "./examples.ts";
export * from "./names.ts";
export * from "./scan-resource.ts";
export * from "./schedule-resource.ts";
