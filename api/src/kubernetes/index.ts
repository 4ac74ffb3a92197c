export { createKubernetesLauncher, installationOf } from "./scan-launcher.ts";
export type { Installation, KubernetesLauncher } from "./scan-launcher.ts";
export { apiKubeClient, scanResources } from "./scan-resources.ts";
export type { ScanResources } from "./scan-resources.ts";
export { createSweepMetrics, createSweeper } from "./sweeper.ts";
export type { Sweeper } from "./sweeper.ts";
