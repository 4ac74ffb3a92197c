// What the tests that need a Kubernetes cluster have in common: they ask for kubectl, openssl and the cluster of KUBECONFIG,
// which enforces NetworkPolicies, reaches this machine by the address that leads to its nodes, and has the image of the
// scanner: GLOVEBOX_TEST_SCANNER_IMAGE, by default localhost/glovebox/scanner-job:dev.
import { spawnSync } from "node:child_process";
import { conclude, runVitest } from "./vitest-run.mjs";

/** Whether the program can be started. */
export const isInstalled = (program, ...args) => !spawnSync(program, args, { stdio: "ignore" }).error;

/**
 * Runs a Vitest project whose tests need a cluster, with the arguments of this process. `leftOut` says what is not run
 * for want of something more.
 */
export async function runOnCluster({ project, leftOut = () => [] }) {
  const reason = obstacle();
  if (reason !== undefined) {
    console.log(reason);
    process.exitCode = 2;
    return;
  }
  const excluded = leftOut();
  for (const { file, lack } of excluded) console.log(`Left out: ${file}, because ${lack}.`);
  const options = ["--project", project, ...excluded.flatMap(({ file }) => ["--exclude", file])];
  const outcome = await runVitest([...options, ...process.argv.slice(2)], { GLOVEBOX_TEST_CLUSTER: "true" });
  conclude({ ...outcome, skipped: outcome.skipped + excluded.length });
}

/** Why the tests cannot run; nothing when they can. */
function obstacle() {
  if (!process.env.KUBECONFIG) return "KUBECONFIG is not set: there is no cluster to test on.";
  const { error, status } = spawnSync("kubectl", ["get", "--raw", "/readyz"], {
    stdio: "ignore",
    timeout: 20_000,
  });
  if (error?.code === "ENOENT") return "kubectl is not installed.";
  return status === 0 ? undefined : "The cluster of KUBECONFIG does not answer.";
}
