export * from "./conditions.ts";
export { buildScanCrd } from "./crd.ts";
export { EXAMPLE_FILES, toYaml } from "./examples.ts";
export * from "./names.ts";
export * from "./scan-resource.ts";
