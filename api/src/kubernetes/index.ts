export { installationOf } from "./installation.ts";
export type { Installation } from "./installation.ts";
export { createKubernetesLauncher } from "./kubernetes-scan-launcher.ts";
export type { KubernetesLauncher } from "./kubernetes-scan-launcher.ts";
export { apiKubeClient, scanResources } from "./scan-resources.ts";
export type { ScanResources } from "./scan-resources.ts";
export { createSweepMetrics } from "./sweep-metrics.ts";
export { createSweeper } from "./sweeper.ts";
export type { Sweeper } from "./sweeper.ts";
