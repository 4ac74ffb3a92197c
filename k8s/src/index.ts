export * from "./conditions.ts";
export { buildScanCrd } from "./crd.ts";
export { EXAMPLE_FILES } from "./examples.ts";
export * from "./names.ts";
export { claimsRow, scanIdOf } from "./scan-identity.ts";
export * from "./scan-resource.ts";
export { toYaml } from "./yaml.ts";
