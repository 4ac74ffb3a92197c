// Programs that tests and benchmarks need.
import { spawnSync } from "node:child_process";

/** Whether the program is installed. */
export const isInstalled = (program, ...args) => !spawnSync(program, args, { stdio: "ignore" }).error;

/** Why the cluster of KUBECONFIG cannot be used; undefined when it can. */
export function whyNoCluster() {
  if (!process.env.KUBECONFIG) return "KUBECONFIG is not set: there is no cluster.";
  const { error, status } = spawnSync("kubectl", ["get", "--raw", "/readyz"], {
    stdio: "ignore",
    timeout: 20_000,
  });
  if (error?.code === "ENOENT") return "kubectl is not installed.";
  return status === 0 ? undefined : "The cluster of KUBECONFIG does not respond.";
}
